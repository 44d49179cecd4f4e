"""What a question mentions: names, values, words of the schema, and earlier questions.

    link              mentions of the question, and the nodes that each may stand for
    anchors           the nodes that a mention is taken to mean
    connected_ends    the nodes whose connection a question asks for
    distance_ends     the places and kinds of things whose distances a question asks for
    named_nodes       the nodes that names mean, where all of the answer depends on them
    given_nodes       topics that are ids of nodes, which narrow what is linked
    fit               orders nodes of one name by how well they fit the question's words
    nearest           the names most like a question in which nothing was found
    similar_names     notes that a name was read as another, similar one
    question_form     a question, what it mentions, and what is read from both, each once
    asked_noun        the noun behind the words by which a question asks
    asked_kind        what kind of node a question asks for
    mask_mentions     a question with placeholders for its mentions
    name_mentions     what these placeholders stand for
    second_question   what a question asks behind its first question
    vocabulary        the words of the live schema, and which words of a question are known
    values            numbers, texts and stored values that a question compares with
    follow_ups        questions that refer to earlier ones

Imports no other room.
"""
