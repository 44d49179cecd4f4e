"""A running Trellis: all its parts, loaded when they are needed, and answering with them.

    once        a part that is loaded at its first use
    garbage     keeps what lasts out of collections of garbage
    models      the models, by the tasks that they do
    graph_fit   whether a model that was trained for one graph is asked of it
    calibrations  where a model's calibrations are kept
    trellis_app  all parts, and answering
    pipeline_builder  builds the pipelines of methods out of the parts
    guiding     what can be asked, said where nothing was
    answer_cache  replies that were given before, kept as long as the graph is what it was
    recalling   gives a reply again while all that it depends on is the same
    follow_ups  answers questions that may refer to earlier ones
    readiness   whether the parts and the methods are ready, and why not
    events      the events of a question while it is answered
    prompts     what models are sent for a question
    listing     the methods as a list to read
    openings    questions to begin with, made of the live graph
    warming     what a first question would pay for, paid before it is asked

Built by `trellis.wiring`; used by the service and the commands.
"""
