"""The room of steps of methods that read questions and claims as patterns.

    settings            what a model card says of task `pattern`
    pattern_prompt      the prompt of task `pattern`
    retrieve_patterns   the language of a question's patterns, from the live schema

Used by pipelines, methods, engines and training.
"""
