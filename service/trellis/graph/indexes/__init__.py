"""Makes a graph ready for questions.

    indexing        makes a graph ready for questions
    index_building  makes indexes, and waits for those that Neo4j builds
    naming          which property names the nodes of a label
    kind_words      the words of relationship types and labels as vectors

Used by the rest of `graph` and by the commands.
"""
