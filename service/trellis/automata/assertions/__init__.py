"""The language of assertions: a question as atomic statements over numbered entities.

    language   the decompositions of a question as a language
    state      the states of that language
    writing    the sentence of a decomposition

A worker needs `language`; training and steps need `writing` too.
"""
