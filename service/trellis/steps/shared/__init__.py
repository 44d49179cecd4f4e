"""Steps that every method may use.

    link              mentions of the question, and the nodes that each may stand for
    misspelt_words    words that are one slip from one that was meant, read as it
    given_nodes       topics that are ids of nodes, which narrow what is linked
    tell_apart        what distinguishes nodes of one name
    namesakes         answers of one name told apart, or the question asked back
    anchors           the nodes that a mention is taken to mean
    mask_mentions     a question with placeholders for its mentions
    name_mentions     what these placeholders stand for
    nearest           the names most like a question in which nothing was found
    fit               orders nodes of one name by how well they fit the question's words
    unlinked_words    what a question says beside grammar and what was linked
    unsaid_operators  what a question says by not, or and the like, and an answer does not
    unsaid_relations  which relations a question names by a noun, and an answer does not rest on
    unshown_properties  what a question asks of its answers that these do not show
    second_question   what a question asks behind its first question
    candidates        which of the written sentences are worth running
    asked_kind        what kind of node a question asks for by name, and who reaches it
    asked_step        which relations lead to what is asked for, in graphs of triples
    asked_one         whether one of something that is named is asked for, and several are found
    asked_value       whether a property or an amount is asked for, and which paths reach none
    fair_facts        which facts are shown where there are too many
    foreign_kind      whether a kind of thing is asked for that the graph has none of
    passed_names      which paths start from no name where the question has one
    doubt             how much less is believed where nobody judged a model's answers
    reason            which of the found nodes answer, and how sure that is
    apply_review      follows a reasoner as far as it can do no harm
    check_wording     whether a sentence says nothing but what is known
    weigh_sentences   orders sentences by how likely they bring the question's words, too
    weigh_paths       orders paths by how likely they bring the question's words, too
    ground_paths      runs paths in the database
    describe_path     which walks a sentence means, in plain English
    said_steps        how many steps of a path the question speaks of
    path_confidence   the features by which a reply that stands on paths is trusted
    weigh_patterns    the same for patterns
    located_patterns  patterns in the graph's own terms
    ground_patterns   runs located patterns as Cypher, so that all answers come
    describe_pattern  what a pattern asks for, in plain English
    pattern_confidence  the features by which a reply from patterns is trusted
    describe_steps    steps of walks as English phrases
    phrases           names of labels, relationships and nodes as English phrases
    resolve_follow_up  makes a question that refers to earlier ones into a whole question
    referents         what an earlier question leaves to refer to, and which of it is meant
    property_nouns    what people call properties of nodes, and nothing else
    label_words       the words that the live schema brings into what is said of nodes of a label
    verify            looks the cited facts up once more

Used by the other rooms of steps and by pipelines.
"""
