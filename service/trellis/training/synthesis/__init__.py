"""Questions that are made: from the graph alone, or recombined of given ones.

    walks             relation paths that exist, sampled from the graph
    path_questions    examples of task `path` for such paths
    asking            composes questions of one path
    conjunctions      pairs of paths that meet
    phrasebook        how relations are spoken of (`lexicon.json`, and a graph's own wording file)
    names             how the names of relations are read as words
    predicates        what can be said of an answer in a relative clause
    query_graphs      queries that a schema allows
    query_questions   examples of task `cypher` for such queries
    query_asking      composes questions of one query
    recombining       new questions of given ones
    openings          what questions begin with, and what they ask for by that
    noun_phrases      the words at the end of a question that tell a node
    query_edits       queries a move or two away from another

Used by `training.tasks`.
"""
