"""What a question compares with: stored values, numbers and texts, each under a name.

    value_mentions   the places of a question that say values, each under a name
    link_values      literals of the question, and the stored values that each may mean
    link_literals    the numbers and quoted texts of a question, whatever is stored
    years            numbers that say when, which are compared with times alone
    said_values      values that a question speaks of, though it names none
    link_wide        values, names and literals, for queries of a wide language

Reads questions with `vocabulary`. Used by the other rooms, by pipelines and by training.
"""
