"""What reading questions as patterns needs first (method `simgrag`).

    settings            what a model card says of task `pattern`
    pattern_prompt      the prompt of task `pattern`
    retrieve_patterns   the language of a question's patterns, from the live schema
    located_patterns    patterns in the graph's own terms

Used by training of task `pattern`, and by whatever shows patterns.
"""
