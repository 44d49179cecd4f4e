"""Values, ports and errors that all packages share.

    budget         what a question may cost, and how it ends when its time is over
    calibration    how probabilities become ones that can be believed
    card           what a model folder says of itself
    chains         chains of triples: what one says, and what its graph lacks
    choice         what each of several methods came to, and what decided
    claims         claims, how they may be read, and the verdicts on them
    conversation   earlier turns, and what a follow-up question is made into
    cypher         a query, what the planner and the gate say of it, and its rows
    decompositions  questions as atomic assertions
    decoding       how to search, and the sentences that come of it
    derived        values that keep what was built from them
    errors         the one tree of errors
    events         what a question tells while it is answered
    facts          what evidence consists of: relationships and the text that tells them
    grammar_words  articles, auxiliaries, prepositions and other small words of English
    graph          nodes, relationships, walks and neighbourhoods
    graph_config   what somebody says of their own graph
    guidance       what a model of task `guidance` is asked
    identifiers    how a name is quoted in Cypher
    links          mentions, and what they may stand for
    many_rows      work over many rows, kept from holding the event loop
    patterns       patterns to search for, and the subgraphs that match
    places         where nodes are: points, or latitudes and longitudes
    ports          the protocols by which steps and pipelines know the outside
    printable      texts from outside as terminals, logs and prompts may have them
    prompt         what a model is asked
    question       what counts as a question
    question_patterns  patterns that questions and claims are read as
    reachable      which relation paths exist from some nodes
    reasons        the reason that a library gives, fit for an error
    reply          findings, judgements and the whole reply
    review         what a reasoner says of the answers that were found
    schema         what a live graph consists of
    sentences      facts as sentences to read
    sharing        work that several methods of one question share
    spending       what hosted models cost a question, and how much they may
    texts          texts of nodes, and what of them is like a question
    token_vectors  the vectors of a text's tokens
    traces         schema graphs to trace through a graph, and the traces of them

Imports nothing of ours; every package may import it.
"""
