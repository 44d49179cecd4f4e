"""Grammars: a language as a context-free grammar, for servers whose masks are their own.

    compile_grammar   the rules that say a language's sentences, within a bound
    grammar           rules, and what they consist of
    query_grammar     the clauses and names of ordinary Cypher, for its wide language
    dialects          rules as text: GBNF (llama.cpp, xgrammar) and Lark (llguidance)

What a server writes by a grammar is read through the language all the same: where the bound is
reached, a grammar says somewhat more, or less, than its language. Used by engines.
"""
