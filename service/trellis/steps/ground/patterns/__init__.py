"""Patterns and schema graphs as subgraphs of the database.

    find_candidates   the nodes, types and labels that the parts of patterns may be
    fold_patterns     the patterns that come of one when nodes are the same
    match_patterns    the subgraphs nearest to patterns, and what they take these for
    ground_patterns   runs located patterns as Cypher, so that all answers come
    guide_entities    the entities of the guidance subgraph, by a model of task `guidance`
    trace_graphs      finds schema graphs in the database, and what they take their parts for
    cite_assertions   evidence beside the assertions that found it

Used by pipelines, and by training of tasks `schema_graph` and `guidance`.
"""
