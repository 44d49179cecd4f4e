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

Each of them raises CypherReadError where a text is no query of the subset, or where the language
has no sentence for it; the error says what is wrong. The text of each move is a segment, and is
encoded alone.

    options     the bounds of what a sentence can say
    query       what a sentence means: a pattern, and what is returned of it
    state       a sentence so far, and the moves that may come next
    language    joins the grammar to a schema and to linked values
    patterns    the moves that say a pattern: nodes, relationships, branches
    filters     the moves that say how a property is compared
    scopes      the moves that begin and close a part that restricts the pattern
    operands    the moves that say a node, a property or an aggregate
    returns     the moves that say what is returned, and in which order
    ways        how the schema lets a pattern begin and go on
    grounding   which of these ways exist around the nodes of linked values
    lexicon     the properties, filters and values that a schema and its links have
    wording     the words of names and of the grammar
    rendering   writes a query graph as Cypher
    reading     reads Cypher in any style into a query graph
    labels      finds the labels that a query leaves open
    trees       arranges a query graph as a tree
    canonical   chooses the one sentence of a query
    writing     writes that sentence

All floors above `automata` may use it.
"""
