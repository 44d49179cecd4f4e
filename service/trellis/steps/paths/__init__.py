"""Steps of methods that answer by paths (method `gcr`).

    settings          what a card says of task `path`
    path_prompt       how a question is put to a model of task `path`
    retrieve_trie     the KG-Trie around the linked nodes, as a language
    wider_paths       the same over the schema: what nodes of these labels could have
    absent_paths      whether a question asks for what the linked nodes do not have
    warm_paths        the queries of a first question, run before it is asked

Used by the path pipeline, by `methods`, by training of task `path`, and by whatever shows or is
told paths (the service, the commands, hosted models).
"""
