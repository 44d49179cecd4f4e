"""The room of steps of methods that read questions and claims as patterns.

    settings            what a model card says of task `pattern`
    pattern_prompt      the prompt of task `pattern`
    retrieve_patterns   the language of a question's patterns, from the live schema
    weigh_patterns      orders patterns by how likely they bring the question's words, too
    find_candidates     the nodes, types and labels that the parts of patterns may be
    fold_patterns       the patterns that come of one when nodes are the same
    match_patterns      the subgraphs nearest to patterns, and what they take these for
    ground_patterns     runs located patterns as Cypher, so that all answers come
    describe_pattern    what a pattern asks for, in plain English
    pattern_confidence  the features by which a reply is trusted

Used by the pattern pipeline, by `methods`, by training of task `pattern`, and by whatever shows
patterns.
"""
