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
`clauses` says the second; `grammar` and `sentences` serve the first.

Each of them raises CypherReadError where a text is no query of the subset, or where the language
has no sentence for it; the error says what is wrong. The text of each move is a segment, and is
encoded alone.

Its modules and rooms:

    language   joins the grammar of a rendering to a schema and to linked values
    options    the bounds of what a sentence can say
    state      a sentence so far, and its next moves
    words      the words of a sentence, as schema and links have them
    grammar    which moves may come next, in the rendering `brief`
    clauses    says the rendering `cypher`, clause by clause
    meaning    query graphs: what sentences mean, and how that is written as Cypher
    reading    reads Cypher in any style into a query graph
    sentences  from a query graph to its one sentence

All floors above `automata` may use it.
"""
