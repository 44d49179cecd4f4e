"""The room of steps of methods that trace schema graphs.

    settings                what a model card says of tasks `assertion`, `schema_graph`, `guidance`
    trace_prompts           the prompts of tasks `assertion` and `schema_graph`
    retrieve_assertions     the languages of a question's assertions, and of their schema graphs
    read_schema_graphs      decompositions and schema graphs as candidates, joined and told apart
    decompose               a model writes assertions, and their schema graphs
    guide_entities          the entities of the guidance subgraph, by a model of task `guidance`
    score_relations         which relationship types a relation may be, by their words
    trace_graphs            the traces of schema graphs, and what they take these for
    cite_assertions         evidence beside the assertions that found it
    compare_schema          what changed in a graph since a model was trained

Used by the tracing pipeline, by `methods`, and by training of these tasks.
"""
