"""Neo4j: driver, loading, indexing, schema, and the `Graph` port over our procedures.

Everything that we add to a database has a reserved name (`names.py`) and is hidden from the schema
and from query results.
Wiring, commands, training and evaluation may import it; pipelines and steps see only the port.
"""
