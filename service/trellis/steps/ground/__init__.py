"""Candidates in the database: what they reach, and the facts that they stand on.

    candidates     which of the written sentences are worth running
    ground_paths   runs paths in the database
    connect_nodes  the shortest paths between two nodes
    shared_nodes   what each of some nodes is related to directly
    measure_distances  how far places are apart, and which are near to one
    fair_facts     which facts are shown where there are too many
    verify         looks the cited facts up once more
    queries        queries that run, and the facts that their rows are read from
    patterns       patterns and schema graphs as subgraphs of the database

Used by pipelines, `conclude`, evaluation and training.
"""
