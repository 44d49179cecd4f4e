"""Nodes that a question describes: found by what their texts say and by what they are related to.

    described_nodes   finds and ranks them
    saying_nodes      those whose texts say a phrase
    sentences         the sentences of a passage, and which part shows most
    settings          the task of ranking them
    quoted_answers    answers inside the text of a node that is named

Used by the pipeline of queries.
"""
