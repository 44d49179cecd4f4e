"""The reader: a small general model that scores the moves of a language, over any schema.

    words     words of questions and moves, and which of them are alike
    features  texts as the encoder's tokens, with the numbers of their words
    moves     what the reader knows of a move
    encoder   the sentence encoder's layers, with changes of low rank
    network   the network that scores moves
    turning   which way a relationship goes where it may be said either way
    reading   reads a question, scores moves, and remembers those of schemas
    folder    its sealed, versioned folder

    chain_walks         chains by the moves of paths
    told_walks          patterns and assertions by those of paths over the schema
    schema_graph_words  schema graphs by the words of their assertions

Used by `engines.reader` and `training.reader`.
"""
