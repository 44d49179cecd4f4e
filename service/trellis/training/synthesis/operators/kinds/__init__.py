"""The kinds of questions, each a function that draws its words and its query together.

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

Used by `questions`.
"""
