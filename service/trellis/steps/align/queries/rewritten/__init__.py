"""Queries in place of those that a model wrote, as sentences of the same language.

    joined_denials      queries that deny one of two things that are denied
    turned_verbs        queries that go the other way than a passive says
    counted_items       the number of a list's items, and of nodes that are matched twice
    rewriting           the query of a sentence as a graph, and another one in its place

Used by `align/queries` and pipelines. Imports the modules of `align` itself.
"""
