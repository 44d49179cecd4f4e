"""Steps of methods that answer by Cypher queries (method `graphraft`).

    settings            what a card says of tasks `cypher` and `rank`
    link_values         literals of the question, and the stored values that each may mean
    link_literals       its numbers and quoted texts, whatever is stored
    link_wide           values, names and literals, for queries of a wide language
    value_mentions      the places of a question that say values, each under a name
    unknown_words       words that the model never saw, read as the schema's nearest
    retrieve_queries    the language that the live schema and the values define
    query_prompt        how a question is put to a model of tasks `cypher` and `rank`
    bound_queries       queries about nodes that were given by their ids
    run_queries         runs the likely queries behind the gate
    describing          what a query means, in plain English words
    describe_query      what a query asks for, in plain English
    answer_kinds        whether a query gives the kind of thing that is asked for
    value_uses          whether it uses each value of the question once
    weigh_queries       how likely each written query is, by rules for trained models
    narrow_language     the language of queries that give what is asked for
    given_queries       queries that were given for questions with the same words
    complete_relations  relations that a noun says of a node, and a query does not
    asked_property      the property that a noun of the question asks for
    asked_measure       whether how long something is is answered by how high it is
    left_out_words      whether it leaves out a relation or a label that the question names
    naming_form         nodes, or what names them, as one answer
    possible_labels     what its nodes without a label may be, by their relationships
    misreadings         whether its order, comparison or count is another than is said
    read_meaning        the same of a query that was run, from its own text
    bridged_relations   relations of what a question says nothing of
    held_back           why what a query found is no answer to what was asked
    said_operators      what of not, or and the like a query says
    unasked_columns     properties that are shown beside things, unasked
    find_verdict        yes or no, where a query asks whether something is so
    check_values        values that a query depends on and that are unknown or tied
    describe_answers    the surroundings of an answer as a short text
    rank_answers        a second model judges each answer
    answer_cells        what the cells of rows give as answers
    rank_queries        chooses among the queries that ran
    matches             what the pattern of a query matches, as facts
    query_evidence      the facts that each answer of a query is read from
    explaining_facts    what explains its answers beside these
    query_confidence    the features by which a reply is trusted
    backed_parts        how far the question speaks of each part of a query
    reading_likeness    how much what a query asks for means the same as the question
    general_confidence  how sure a query may be by a model that nobody judged
    judge_query         rows as answers with evidence, or none
    prepare_schema      what questions read of a schema, built before they get it
    answer_table        the rows of the answers, under names that people understand
    warm_queries        what a first question reads, read before it is asked
    reason_rows         a hosted reasoner words the answers

Used by the query pipeline, by `methods`, by training of tasks `cypher` and `rank`, and by whatever
shows or is told queries (the commands, hosted models, the benchmarks).
"""
