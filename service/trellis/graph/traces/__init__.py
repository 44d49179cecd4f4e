"""Traces of a schema graph: by our procedure, or in plain Cypher.

    procedure    by one call of `trellis.trace.search`
    plain        the same without our procedures: reads what may be traced, and traces it here
    tracing      the traces among relationships that were read
    plan         in which order the edges of a schema graph are traced

Used by `graph.neo4j_graph`.
"""
