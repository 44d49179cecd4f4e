"""Cypher as a language: every sentence is a query that the live graph can plan, and only reads.

For decoding::

    values = number_values([StoredValue("Crime", "date", "1/08/2017"), ...])    # named v0, v1, ...
    language = CypherLanguage(schema, values, RenderingOptions(), groundings=())
    language.values(state)      # tuple[CypherQuery, ...]: Cypher with $parameters, ready to run
    language.is_empty()         # the schema has no label, so there is no sentence

For training, from a query in any style to the moves of the one canonical sentence::

    find_linked_literals(schema, cypher, params) -> tuple[StoredValue, ...]
    find_canonical_moves(language, cypher, params) -> tuple[str, ...]     # "".join is the text
    read_query(language, cypher, params) -> QueryGraph
    spell_query(language, query) -> tuple[str, ...]
    follow_moves(language, moves) -> CypherState      # its `query`; its `moves` with their kinds

Sentences are written in one of two renderings, `brief` and `cypher` (`options`). The folder
`clauses` says the second; the modules below that say or write moves serve the first.

Each of them raises CypherReadError where a text is no query of the subset, or where the language
has no sentence for it; the error says what is wrong. The text of each move is a segment, and is
encoded alone.

The meaning of a sentence:

    query             a query graph: a pattern, and what is returned of it
    items             the items that are returned, their forms, and orders
    rendering         writes a query graph as Cypher
    paths             joins the relationships of a clause into paths
    value_rendering   writes its operands and comparisons
    unfolding         lets what its scopes match be returned
    reading           reads Cypher in any style into a query graph

The words of a sentence:

    options           the bounds of what a sentence can say
    wording           the words of names and of the grammar
    property_types    the types of properties, and which of them can be compared
    filter_kinds      the comparisons that a property can have
    references        the properties that another property can be compared with
    keyed_texts       texts with their key, which is made once
    offered_filters   the filters that a node offers, which sentences share
    indexed_schema    all that follows from a schema alone, made once
    bound_values      the filters and values that a schema and its links have
    row_ranges        the rows that an order takes, and the words for that

The grammar, which says what moves may come next:

    state             a sentence so far, and its next moves
    language          joins the grammar of a rendering to a schema and to linked values
    clauses           says the rendering `cypher`, clause by clause
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

From a query graph to its one sentence:

    canonical         chooses the sentence
    labels            finds the labels that a query leaves open
    trees             arranges a query graph as a tree
    renumbering       gives its nodes and relationships other indices
    writing           writes the sentence of a tree
    pattern_writing   writes its nodes, filters and relationships
    row_writing       writes what is returned
    normal_rows       brings items, groups and orders into one form

All floors above `automata` may use it.
"""
