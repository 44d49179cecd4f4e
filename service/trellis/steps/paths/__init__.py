"""Steps of methods that answer by paths.

    settings          what a model card says of task `path`
    path_prompt       the prompt of task `path`
    retrieve_trie     builds the KG-Trie around the mentions
    ground_paths      runs decoded paths in the database
    path_confidence   features from which the confidence in a reply is estimated

Used by every layer above the steps.
"""
