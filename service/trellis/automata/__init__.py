"""Languages and the token automaton: what a model may say next.

    language        the contract of a language; a new constraint implements this and nothing else
    reader          reads text that was written without masks
    nearest         which of many texts are nearest to what was written
    chains          chains of triples as languages, over a graph that grows
    one_of          one of a few texts, for a model that judges
    cypher          Cypher as a language
    assertions      questions as atomic statements
    schema_graphs   relations of the live schema for these
    patterns        patterns of what is asked for as a language
    question_spans  texts copied from a question
    grammars        languages as grammars, for servers whose masks are their own
    codec           languages and neighbourhoods as bytes
    tokens          the token automaton, and its tries and vocabularies
    paths           the KG-Trie as a language

No I/O and no torch. Every package above it may use it; a worker needs little else.
"""
