"""Queries that run, and the facts that the answers in their rows are read from.

    bound_queries      queries about nodes that were given by their ids
    run_queries        runs the likely queries behind the gate
    answer_cells       what the cells of rows give as answers
    matches            what the pattern of a query matches, as facts
    explaining_facts   what explains the answers of a query beside these
    query_evidence     the facts that each answer of a query is read from

Used by pipelines, `conclude`, evaluation and training of task `rank`.
"""
