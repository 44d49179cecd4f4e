"""Neo4j: connection, loading, indexing, schema, and the `Graph` port.

    connection        the pool of connections, timeouts and retries
    failures          what the driver reports, as our errors
    names             the reserved names of all that we add
    state             what we remember of a database, in one hidden node
    nodes             how a node comes out of a query
    configuration     reads the file that describes somebody's own graph
    migration         applies `migrations/graph`
    loading           graph files into Neo4j
    stark             a benchmark's knowledge bases as graph files
    indexing          makes a graph ready for questions
    naming            which property names the nodes of a label
    index_building    makes indexes, and waits for those that Neo4j builds
    progress          how long work tells how far it is
    schema            the live schema
    values            the values that questions may speak of
    texts             the texts of nodes, searched by words and by passages
    kind_words        the words of relationship types and labels as vectors
    searching         nodes by name: by key, by text, by meaning
    traversal         neighbourhoods by our procedures
    plain_traversal   the same in plain Cypher, for servers without our procedures
    patterns          the subgraphs nearest to a pattern
    traces            the traces of a schema graph
    property_facts    whether properties have the values that facts state
    reaching          runs a path's relations in the database
    neo4j_graph       the `Graph` port over all of these
    cached_graph      the same port, with neighbourhoods and the schema kept
    changes           which nodes were touched since something was read
    trie_cache        neighbourhoods kept in memory
    trie_files        neighbourhoods built ahead, as files
    wide_records      what Neo4j sends, read so that no record holds the event loop
    building          builds these files
    kept              what is kept for as long as the graph does not change
    gate              whether a query of somebody else's may run

All that we add to a database has a reserved name and is hidden from schema and rows. Used by
wiring, the commands, training and evaluation; pipelines and steps see only the port.
"""
