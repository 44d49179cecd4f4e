"""Texts of nodes: finds the properties that hold them, indexes them, and searches them.

    finding       which properties hold texts
    own_vectors   vector indexes that the user made, which stand in for passages
    indexing      the full-text index, and texts as passages with their vectors
    searching     the searches, and the passages that are nearest

Used by `graph.indexes.indexing` and `graph.neo4j_graph`.
"""
