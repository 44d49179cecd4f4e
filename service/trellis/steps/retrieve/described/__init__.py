"""Nodes that a question describes: found by what their texts say and by what they are related to.

    described_nodes   finds and ranks them
    quoted_answers    answers inside the text of a node that is named

Used by the pipeline of queries.
"""
