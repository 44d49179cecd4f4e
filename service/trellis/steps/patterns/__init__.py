"""The room of steps of methods that read questions and claims as patterns.

    settings            what a model card says of task `pattern`
    pattern_prompt      the prompt of task `pattern`
    retrieve_patterns   the language of a question's patterns, from the live schema
    find_candidates     the nodes, types and labels that the parts of patterns may be
    fold_patterns       the patterns that come of one when nodes are the same
    match_patterns      the subgraphs nearest to patterns, and what they take these for

Used by the pattern pipeline, by `methods`, by training of task `pattern`, and by whatever shows
patterns.
"""
