"""The language of patterns: small graphs of what a question mentions, asks for and leaves unknown.

    words      what may be said of relations and kinds
    language   the patterns as a language
    state      the states of that language
    order      the one order in which a pattern is said
    writing    the sentence of a pattern

A worker needs `language` and `words`; training and steps need `writing` too.
"""
