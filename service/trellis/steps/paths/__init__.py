"""Steps of methods that answer by paths (method `gcr`).

    settings          what a card says of task `path`
    path_prompt       how a question is put to a model of task `path`
    retrieve_trie     the KG-Trie around the linked nodes, as a language
    weigh_paths       orders paths by how likely they bring the question's words, too
    ground_paths      runs the paths in the database
    describe_path     which walks a sentence means, in plain English
    warm_paths        the queries of a first question, run before it is asked
    path_confidence   the features by which a reply is trusted

Used by the path pipeline, by `methods`, by training of task `path`, and by whatever shows or is
told paths (the service, the commands, hosted models).
"""
