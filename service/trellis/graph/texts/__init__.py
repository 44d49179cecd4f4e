"""Texts of nodes: finds the properties that hold them, indexes them, and searches them.

`finding` says which they are, `splitting` cuts texts into passages, `indexing` makes the full-text
index and the vectors of passages, `searching` joins both searches. Used by `graph.indexing` and
`graph.neo4j_graph`.
"""
