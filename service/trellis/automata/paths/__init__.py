"""Paths of a graph as a language: the KG-Trie.

    walks           the KG-Trie as a language
    walk_states     the states of the KG-Trie
    frontier        the sets of nodes that walks of one relation sequence reach
    adjacency       a graph in memory, and neighbourhoods cut from it
    relation_paths  the relation paths of a neighbourhood
    segments        the segments that walks are said in

Used by the steps that retrieve paths, by `graph` and by training.
"""
