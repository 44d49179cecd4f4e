"""How well a Cypher query and a question explain each other.

    aligned_readings     how likely each query is by how its reading aligns with the question
    answer_kinds         whether a query gives the kind of thing that is asked for
    naming_form          nodes, or what names them, as one answer
    possible_labels      what nodes without a label may be, by their relationships
    turned_verbs         queries that go the other way than a passive says
    rewriting            the query of a sentence as a graph, and another one in its place
    denials              how many things a query denies
    bridged_relations    relations of a query that the question says nothing of
    said_operators       what of not, or and the like a query says
    held_back            why what a query found is no answer to what was asked
    held_in_time         relationships that held at the moment which the question says
    backed_parts         how far the question speaks of each part of a query
    reading_likeness     how much what a query asks for means the same as the question

Imports `answer_types` and the modules of `align` itself.
"""
