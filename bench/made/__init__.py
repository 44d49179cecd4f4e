"""What is measured on: graphs, schemas, sentences and questions, made or read.

    graphs             graphs in memory, real and synthetic
    names              made-up names, many of them alike
    graph_files        a graph of any size, as files
    library_graph      the library of the running Python, a graph of texts
    wide_graph         a large graph of many kinds, made inside Neo4j
    power_law_graph    a large graph with hubs, made inside Neo4j
    cypher_schemas     made-up schemas for the language of Cypher
    cypher_sentences   random sentences of it
    perturbations      questions with misspelt and shortened names

Used by the laboratory and tests.
"""
