"""What tracing schema graphs reads first (method `stem`).

    settings              what a model card says of tasks `assertion`, `schema_graph`, `guidance`
    trace_prompts         the prompts of tasks `assertion` and `schema_graph`
    retrieve_assertions   the languages of a question's assertions, and of their schema graphs
    read_schema_graphs    decompositions and schema graphs as candidates, joined
    compare_schema        what changed in a graph since a model was trained

Used by training of these tasks.
"""
