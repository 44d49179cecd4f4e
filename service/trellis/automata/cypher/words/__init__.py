"""The words of a sentence, as schema and links have them.

    wording          the words of names and of the grammar
    property_types   the types of properties, and which of them can be compared
    filter_kinds     the comparisons that a property can have
    references       the properties that another property can be compared with
    keyed_texts      texts with their key, which is made once
    offered_filters  the filters that a node offers, which sentences share
    indexed_schema   all that follows from a schema alone, made once
    bound_values     the filters and values that a schema and its links have
    row_ranges       the rows that an order takes, and the words for that

Used by the other rooms of `automata.cypher`, by the steps and training.
"""
