"""Reads a Cypher query in any style into what it means, for a language to say.

A text becomes tokens, the tokens a syntax tree (`query_parser`), and the tree a query graph, clause
by clause (`projections`, `matches`). Each step raises CypherReadError where a query is not of the
subset that the language can say; the error says what cannot be read or said, and where.

    queries             the functions that other packages call
    lexer               splits a text into tokens
    cursor              stands at a token, tests it and moves on
    expressions         the syntax tree: expressions, patterns and clauses as they are written
    query_parser        parses clauses, and whole queries
    path_parser         parses the paths of nodes and relationships in a clause
    expression_parser   parses conditions and values
    projections         reads all clauses: what is returned, grouped and ordered
    matches             reads what is matched
    conditions          reads what must hold of it
    matched_pattern     the pattern that is matched so far
    aliases             what the aliases of a query stand for
    return_items        reads what is returned, ordered by or compared
    properties          the properties and values that expressions name
    meanings            the linked values that literals mean

All floors above `automata` may use it, and it may use all of `cypher`.
"""
