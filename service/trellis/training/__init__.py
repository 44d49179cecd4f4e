"""Training: from questions or a bare graph to a model folder.

    runner            trains the tasks that are named: lessons, models, card, folder
    graphs            what one graph teaches
    registry          the tasks that can be trained
    contract          what a task, a lesson and a kind of model are
    means             what lessons are made with
    judged_questions  which questions are kept apart, to judge what was trained
    options           what the user asked for
    wording           the words that are the questions' own
    wording_files     wording files, written from a live schema
    graph_examples    the example questions of a graph's configuration
    example_bank      examples of a live graph, for prompts of models that nobody trained
    examples          prompts and the segments of their sentences
    tasks             how each task makes its lesson
    supervision       what explains questions that have answers alone
    synthesis         questions made from the graph alone, or recombined of given ones
    language_models   the kind of model that learns sentences
    tuning            general models that learn them
    reader            teaches the reader from made graphs
    text_ranker       teaches a cross-encoder that reads the texts of nodes, for task `rank`
    guidance_models   the kind of model that learns to score entities

Used by the command line; in answering only `example_bank`, which `wiring` puts behind a port.
"""
