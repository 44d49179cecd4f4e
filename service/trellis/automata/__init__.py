"""Languages and the token automaton: what a model may say next.

    language         the contract of a language; a new constraint implements this and nothing else
    automaton        the token automaton: a language joined to a vocabulary
    endings          how soon sentences can end
    site_trie        what the automaton asks of a site, listed or free
    trie             the token trie of one site's moves
    free_trie        the texts of a free site
    free_tokens      which tokens free text consists of
    token_bytes      what each token of a tokenizer adds to a text
    tries            site tries that questions share
    masks            token masks as bits
    vocabulary       a tokenizer as the automata see it
    characters       code points as tokens, for reading plain text
    reader           reads text that was written without masks
    nearest          which of many texts are nearest to what was written
    walks            the KG-Trie as a language
    walk_states      the states of the KG-Trie
    frontier         the sets of nodes that walks of one relation sequence reach
    adjacency        a graph in memory, and neighbourhoods cut from it
    chains           chains of triples as languages, over a graph that grows
    relation_paths   the relation paths of a neighbourhood
    segments         the segments that walks are said in
    one_of           one of a few texts, for a model that judges
    cypher           Cypher as a language
    assertions       questions as atomic statements
    schema_graphs    relations of the live schema for these
    patterns         patterns of what is asked for as a language
    question_spans   texts copied from a question
    grammars         languages as grammars, for servers whose masks are their own
    codec            languages and neighbourhoods as bytes

No I/O and no torch. Every package above it may use it; a worker needs little else.
"""
