"""The tasks that are trained: a module each, named in `training.registry`.

    path              lessons of relation paths
    pattern           lessons of patterns
    chain             lessons of chains of triples
    assertion         lessons of assertions
    schema_graph      lessons of schema graphs
    assertion_examples  the examples of these two
    guidance          lessons of entities that are meant
    guidance_examples  the examples of these
    path_examples     the examples of all these: questions and relation paths
    cypher            lessons of queries
    cypher_examples   the examples of these, and what sentences of that language may say
    name_kinds        what made questions need to know of a graph's names and relationships
    rank              lessons of answers to be judged
    rank_examples     the examples of these

Used by `training.registry`.
"""
