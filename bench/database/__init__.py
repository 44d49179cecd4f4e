"""What Neo4j and our procedures cost.

    gate            the gate
    loading         loading a graph
    procedures      the procedures inside Neo4j
    kept_tries      kept neighbourhoods while the graph is written to
    pattern_search  the search for patterns
    schemas         reading the schema
    linking         linking names
    values          linking values

Parts of `trellis bench`.
"""
