"""The pipelines of the methods; each reads from top to bottom like its paper.

    gcr         paths decoded inside the KG-Trie
    graphraft   queries decoded inside the language of the schema
    record      what a pipeline records on its way, and the reply that it builds from it

Pipelines never import one another. Only `methods` builds them.
"""
