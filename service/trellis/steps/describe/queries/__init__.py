"""What a query means, in plain English words.

    describe_query   what a query asks for, in plain English
    read_meaning     what a query that was run asks for, read from its own text
    filters          comparisons of properties with values
    items            what is returned, ordered by or compared
    first_nodes      nodes that come first in an order, before the rest is matched
    modifiers        what is said of a noun, and how several such things are joined
    names            the words of a pattern's nodes and relationships
    shape            what follows from how a pattern hangs together
    distinct         which relationships must differ, where that is unusual
    relationships    those that lead on from a node, as modifiers of it
    pattern          a pattern as a noun phrase
    columns          a short name for each column of a query's rows

`answer_table` names columns by it, and `align` reads queries back by `read_meaning`.
"""
