"""The live schema, read in seconds from graphs of any size. For `graph` and benchmarks.

`tokens` reads which labels and types there are, `sampling` draws the nodes and relationships to
look at, `properties` reads properties and `pairs` which labels a type joins; `live` puts the schema
together.
"""
