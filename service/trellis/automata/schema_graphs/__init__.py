"""The language of schema graphs: a relation of the live schema for each assertion.

    kinds      which relations may join nodes of which labels
    language   the schema graphs of a decomposition as a language
    writing    the sentence of a schema graph

A worker needs `kinds` and `language`; training and steps need `writing` too.
"""
