"""How well a candidate and the question explain each other.

    sentence_steps       the steps that a sentence says, be it a path or a pattern
    weigh_sentences      orders sentences by how likely they bring the question's words, too
    token_alignment      how far a question and a reading say the same, token by token
    general_words        how relations are spoken of, for models that learnt it from no graph
    said_steps           how many steps of a path the question speaks of
    passive_verbs        which way a relationship goes that the question says in the passive
    unsaid_operators     what a question says by not, or and the like, and an answer does not
    unsaid_relations     which relations a question names, and an answer does not rest on
    unshown_properties   what a question asks of its answers that these do not show
    absent_paths         whether a question asks for what the linked nodes do not have
    decompose            a model writes assertions and their schema graphs, which are weighed
    score_relations      which relationship types a relation may be, by their words
    doubt                how much less is believed where nobody judged a model's answers
    described_fit        whether a question describes nodes with texts, and how well some fit
    described_part       which part of a question describes a node
    said_texts           whether a question wants texts to say something
    answer_types         whether a candidate gives the type of thing that is asked for
    queries              how well a Cypher query and a question explain each other

What of the question a candidate leaves out, and what of it the question does not speak of.
Nothing here reads the rows of a query: what ran is judged in `conclude`.
"""
