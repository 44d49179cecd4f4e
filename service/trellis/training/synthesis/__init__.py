"""Makes training questions, either from the graph alone or by recombining given questions.

    walks             samples relation paths that exist in the graph
    path_questions    makes examples of task `path` for such paths
    asking            composes questions for paths
    noise             adds what people put around and into a question
    full_names        adds surnames to first names
    operators         makes questions with operators: not, or, more than, the most, how many
    assertion_words   how relations are said between two entities
    predicates        verb phrases that hold of a step's answers
    name_mentions     mentions of names in made questions, with the kinds that they may be of
    recombining       makes new questions from given ones
    openings          finds the words at the beginning of a question that say what it asks for
    noun_phrases      finds the words at the end of a question that describe a node
    whole             a question as words and its query as moves, and the parts of these
    query_edits       makes queries that differ from another in one or two moves

Used by `training.tasks`.
"""
