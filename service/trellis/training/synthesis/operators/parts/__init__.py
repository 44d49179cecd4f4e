"""What questions of all kinds are drawn from.

    drawing           what all kinds draw from: schema, phrases, topics; sets with a filter
    topics            the names, values and numbers that a question is about; drafts of questions
    named_nodes       which node is meant, by its name or by other values
    patterns          chains of relationships and sets of nodes, and their Cypher
    hop_drawing       draws relationships of the nodes of a label
    set_drawing       draws chains and sets of nodes from a schema, in words and in Cypher
    asked_properties  draws properties with their phrases, and values and numbers of them
    words             draws words, and fills the frames of operators (`operators.json`)
    verb_phrases      verb phrases denied, in their base form, and without `is`

Used by `kinds`, `questions` and `examples`.
"""
