"""Chains of triples as a language, over a graph that grows as they do.

    graph       the graph as append-only arrays, and what it grows by
    growing     what a language has to offer so that it can grow while a model writes in it
    states      the states of chains of named sets
    language    chains whose nodes stay sets: only relations are said
    named       chains that name their nodes
    reasoned    chains with free words between their triples
    opening     the language that some options ask for
    pausing     a language whose sentences stop at a triple's end

Source: DoG, section 2. Used by the steps of chains, by the codec and by training.
"""
