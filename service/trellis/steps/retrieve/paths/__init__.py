"""What answering by paths reads first (method `gcr`).

    settings        what a card says of task `path`
    path_prompt     how a question is put to a model of task `path`
    retrieve_trie   the KG-Trie around the linked nodes, as a language
    wider_paths     the KG-Trie over the schema: what nodes of these labels could have
    warm_paths      the queries of a first question, run before it is asked

Used by training of task `path`, and by whatever shows or is told paths.
"""
