"""Neo4j: connection, loading, indexing, schema, and the `Graph` port.

    configuration   reads the file that describes somebody's own graph
    loading         graph files into Neo4j
    stark           a benchmark's knowledge bases as graph files
    schema          the live schema
    values          the values that questions may speak of
    texts           the texts of nodes, searched by words and by passages
    searching       nodes by name: by key, by text, by meaning
    patterns        the subgraphs nearest to a pattern
    traces          the traces of a schema graph
    property_facts  whether properties have the values that facts state
    neo4j_graph     the `Graph` port over all of these
    cached_graph    the same port, with neighbourhoods and the schema kept
    kept            what is kept for as long as the graph does not change
    gate            whether a query of somebody else's may run
    database        connection, failures, and what we keep in a database
    indexes         makes a graph ready for questions
    neighbourhoods  what lies around nodes, read and kept

All that we add to a database has a reserved name and is hidden from schema and rows. Used by
wiring, the commands, training and evaluation; pipelines and steps see only the port.
"""
