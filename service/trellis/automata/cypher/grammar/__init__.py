"""The grammar, which says what moves may come next.

    brief_grammar     begins a sentence of the rendering `brief`
    patterns          the moves that say nodes, relationships and branches
    known_nodes       which nodes a part of the pattern can refer to
    branches          where a pattern can go on from, and by which relationships
    filters           the moves that say how a property is compared
    scopes            the moves of a part that restricts the pattern, or is optional
    operands          the moves that say a node, a property or an aggregate
    typed_properties  the properties that an operand can be, and the parts of their values
    accepting         decides which operands a place accepts
    returns           the moves that say items, groups and conditions on groups
    orders            the moves that order rows
    ways              how the schema lets a pattern begin and go on
    grounding         which of these ways exist around the nodes of linked values

Used by `automata.cypher.state` and `language`; `clauses` shares what both renderings have.
"""
