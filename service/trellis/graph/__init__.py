"""Neo4j: driver, loading, indexing, schema, and the `Graph` port over our procedures.

All that we add to a database has reserved names (`names.py`) and is hidden from schema and rows.
Wiring, commands, training and evaluation may import it; pipelines and steps see only the port.
"""
