"""Makes questions with operators from a schema: not, or, more than, the most, how many, is it so.

Each kind of question is a function that draws its words and its query together, so that what is
asked and what is answered cannot part. The words come from the frames of `operators.json` around
those of relations, labels and properties; the queries are plain Cypher, in topics `t0`, `t1`, ….

    questions           draws questions of all kinds; the kinds and their weights
    examples            makes examples of task `cypher` of such questions
    drawing             what all kinds draw from: schema, phrases, topics; sets with a filter
    topics              the names, values and numbers that a question is about; drafts of questions
    named_nodes         which node is meant, by its name or by other values
    patterns            chains of relationships and sets of nodes, and their Cypher
    hop_drawing         draws relationships of the nodes of a label
    set_drawing         draws chains and sets of nodes from a schema, in words and in Cypher
    asked_properties    draws properties with their phrases, and values and numbers of them
    words               draws words, and fills the frames of operators (`operators.json`)
    verb_phrases        verb phrases denied, in their base form, and without `is`
    paths               asks for the end of a path, and for what two paths share
    events              asks by a verb for what stands on either side of an event
    property_questions  asks for values of properties, and for the nodes that have a value
    columns             asks for several properties and related nodes at once
    flags               asks by properties that are true or false, and whether they are
    edge_kinds          properties of relationships; asks by flags and texts of few
    edge_properties     asks for properties of relationships, and for nodes by them
    set_questions       asks for sets of nodes with filters, or by filters of related nodes
    relation_filters    filters by relationships that nodes have or lack
    value_filters       filters by properties and numbers of relationships that are compared
    alternatives        asks for one but not another, for either, and for neither
    counts              asks how many there are, and for totals and averages, also of each node
    ranks               asks for those that have the most or the least, of a set or of two
    yes_no              asks whether something is so

Used by `training.tasks`.
"""
