"""Query graphs: the meaning of a sentence.

    query            a query graph: a pattern, and what is returned of it
    items            the items that are returned, their forms, and orders
    rendering        writes a query graph as Cypher
    paths            joins the relationships of a clause into paths
    value_rendering  writes its operands and comparisons
    unfolding        lets what its scopes match be returned

Used by the other rooms of `automata.cypher`, and by all who read a query.
"""
