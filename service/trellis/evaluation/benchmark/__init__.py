"""The benchmarks of `make bench`: our figures beside those of the published reference code.

    figure             one line of the table
    graphs             graphs to measure on, real and synthetic
    made_names         made-up names, many of them alike
    made_graph         a graph of any size, as files
    wide_graph         a large graph of many kinds, made inside Neo4j
    tries              the KG-Trie and its masks
    chains             what a growing graph costs beside a chain
    decoding           what decoding costs beside the model
    cypher             the language of Cypher
    cypher_schemas     made-up schemas for it
    cypher_sentences   random sentences of it
    batches            the masks of an engine's batch
    travelling         a language on its way to a worker
    workers            the worker beside the local engine
    gate               the gate
    loading            loading a graph
    procedures         the procedures inside Neo4j
    power_law_graph    a large graph with hubs, made inside Neo4j
    kept_tries         kept neighbourhoods while the graph is written to
    pattern_search     the search for patterns
    scale              what each part costs on a graph of files
    scale_report       what was measured of several sizes, kept
    scale_picture      a picture of it
    schemas            reading the schema
    linking            linking names
    values             linking values

Reference figures were measured on two cores with the methods' own published code (GCR: enumerates
all paths, tokenises them, builds a trie). Seconds are wall-clock; nothing here is a test. Used by
`trellis bench`.
"""
