"""Values, ports and errors that all packages share.

    derived        values that keep what was built from them
    errors         the one tree of errors
    grammar_words  articles, auxiliaries, prepositions and other small words of English
    identifiers    how a name is quoted in Cypher
    ports          the protocols by which steps and pipelines know the outside
    printable      texts from outside as terminals, logs and prompts may have them
    reasons        the reason that a library gives, fit for an error
    graphs         graphs, their schema, and facts, names and texts of them
    models         what models are asked and what they give
    structures     chains, queries, patterns and schema graphs
    replies        questions, claims, and what comes of them
    limits         what a question may cost

Imports nothing of ours; every package may import it.
"""
