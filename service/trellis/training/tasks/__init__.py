"""The tasks that are trained: a module each, named in `training.registry`.

    path              lessons of relation paths
    pattern           lessons of patterns
    chain             lessons of chains of triples
    path_examples     the examples of all three
    cypher            lessons of queries
    cypher_examples   the examples of these
    name_kinds        what made questions need to know of a graph's names and relationships
    rank              lessons of answers to be judged
    rank_examples     the examples of these

Used by `training.registry`.
"""
