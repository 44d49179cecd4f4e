"""Cypher as a language: every sentence is a query that the live graph can plan, and only reads.

For decoding::

    values = numbered([StoredValue("Crime", "date", "1/08/2017"), ...])     # said as v0, v1, ...
    language = CypherLanguage(schema, values, RenderingOptions(), groundings=())
    language.values(state)      # tuple[CypherQuery, ...]: Cypher with $parameters, runnable
    language.empty()            # no label: there is no sentence

For training, from a gold query in anybody's style to the moves of the one canonical sentence::

    linked_literals(schema, cypher, params={}) -> tuple[StoredValue, ...]
    canonical_moves(language, cypher, params={}) -> tuple[str, ...]     # "".join is the text
    read_query(language, cypher, params={}) -> QueryGraph
    spelled(language, query) -> tuple[str, ...]
    said(language, moves) -> State                  # its `query`; its `moves` with their kinds

Both raise CypherReadError where a text is no query of the subset, or cannot be said: what, and
where. Each move's text is a segment, encoded alone, as everywhere.

    options     the bounds of what is said
    query       what sentences mean
    state       what was said so far, and the moves that may come next
    language    joins the grammar to a schema and to linked values
    patterns    the grammar of patterns
    returns     the grammar of what is returned
    ways        how patterns can go on
    grounding   what of that exists around the nodes of linked values
    lexicon     how values are said
    wording     how names are said
    rendering   makes Cypher
    lexer       the tokens of Cypher
    syntax      reads Cypher
    labels      the labels that a query leaves open
    reading     from anybody's query to what it means
    canonical   chooses the one sentence of a query
    writing     writes that sentence

All floors above `automata` may use it.
"""
