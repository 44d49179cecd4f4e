"""Subgraphs that match a pattern: by our procedure, or in plain Cypher.

    procedure      by one call of `trellis.gsd.search`
    plain          the same without our procedures: reads what may match, and matches it here
    plain_reading  reads in plain Cypher what may be part of matches, or of traces
    matching       the nearest matches among relationships that were read
    plan           in which order a pattern's nodes are matched
    edge_groups    the edges between two nodes of a pattern, and what they cost
    assignment     gives each of several edges a relationship of its own

Used by `graph.neo4j_graph` and `graph.traces`.
"""
