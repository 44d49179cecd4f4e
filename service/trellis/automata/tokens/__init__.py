"""The token automaton: a language joined to a vocabulary.

    automaton    the token automaton: a language joined to a vocabulary
    endings      how soon sentences can end
    site_trie    what the automaton asks of a site, listed or free
    trie         the token trie of one site's moves
    free_trie    the texts of a free site
    free_tokens  which tokens free text consists of
    token_bytes  what each token of a tokenizer adds to a text
    tries        site tries that questions share
    masks        token masks as bits
    vocabulary   a tokenizer as the automata see it
    characters   code points as tokens, for reading plain text

Used by `decoding`, the engines, the worker and training.
"""
