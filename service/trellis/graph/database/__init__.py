"""The connection to Neo4j, and what we keep there.

    connection    the pool of connections, timeouts and retries
    failures      what the driver reports, as our errors
    names         the reserved names of all that we add
    nodes         how a node comes out of a query
    progress      how long work tells how far it is
    state         what we remember of a database, in one hidden node
    wide_records  what Neo4j sends, read so that no record holds the event loop
    changes       which nodes were touched since something was read
    migration     applies `migrations/graph`

Used by all of `graph`, by wiring, training and the commands.
"""
