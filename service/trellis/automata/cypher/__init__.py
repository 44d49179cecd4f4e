"""Cypher as a language: every sentence is a query that the live graph can plan, and only reads.

For decoding::

    values = numbered([StoredValue("Crime", "date", "1/08/2017"), ...])     # said as v0, v1, ...
    language = CypherLanguage(schema, values, RenderingOptions(), groundings=())
    language.values(state)      # tuple[CypherQuery, ...]: Cypher with $parameters, runnable
    language.empty()            # no label: there is no sentence

For training, from a gold query in anybody's style to the moves of the one canonical sentence::

    find_linked_literals(schema, cypher, params={}) -> tuple[StoredValue, ...]
    find_canonical_moves(language, cypher, params={}) -> tuple[str, ...]     # "".join is the text
    read_query(language, cypher, params={}) -> QueryGraph
    spelled(language, query) -> tuple[str, ...]
    said(language, moves) -> State                  # its `query`; its `moves` with their kinds

Both raise CypherReadError where a text is no query of the subset, or cannot be said: what, and
where. Each move's text is a segment, encoded alone, as everywhere.

All floors above `automata` may use it. `options` bounds what is said; `query` is what sentences
mean; `state` is what was said so far and the moves with their kinds that may come next (printed, it
describes itself); `language` joins `patterns` and `returns` (the grammar); `ways` knows how they
go on, `grounding` what of that exists from linked values' nodes; `lexicon` and `wording` say how
values and names are said; `rendering` makes Cypher; `lexer`, `syntax`, `labels` and `reading` read
it; `canonical` chooses the one sentence, which `writing` says.
"""
