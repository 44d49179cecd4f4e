"""What a query means, in plain English words.

    filters     comparisons of properties with values
    modifiers   what is said of a noun, and how several such things are joined
    names       the words of a pattern's nodes and relationships
    shape       what follows from how a pattern hangs together
    distinct    which relationships must differ, where that is unusual
    pattern     a pattern as a noun phrase

Used by `describe_query` alone.
"""
