"""Questions that are made: from the graph alone, or recombined of given ones.

    walks             relation paths that exist, sampled from the graph
    path_questions    examples of task `path` for such paths
    asking            composes questions of one path
    conjunctions      pairs of paths that meet
    phrasebook        how relations are spoken of (`lexicon.json`, and a graph's own wording file)
    names, predicates  how the names of relations are read as words
    query_graphs      queries that a schema allows
    query_questions   examples of task `cypher` for such queries, asked by query_asking
    recombining       new questions of given ones, by their openings and noun_phrases
    query_edits       queries a move or two away from another

Used by `training.tasks`.
"""
