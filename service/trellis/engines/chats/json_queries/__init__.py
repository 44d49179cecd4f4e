"""Queries as JSON: for servers that keep what a model writes inside a JSON schema.

    tree     a query as a tree of names, and the Cypher that it says
    writing  from Cypher to a tree, for examples
    schema   the JSON schema of trees over a language, whose names are enums
    form     all of it, as a chat format has it

What a tree says is read through the language as Cypher is. Used by `methods.graphraft`.
"""
