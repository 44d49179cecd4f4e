"""Teaches the reader (`models/reader`): from made graphs, without any graph of anybody; and then,
where that is wanted, a little for one graph.

    vocabulary     the words that made graphs are made of
    naming         how they write their names
    made_schemas   makes their schemas
    made_paths     relation paths that a made schema allows
    make           makes lessons, graph by graph
    lessons        lessons as arrays of integers
    batches        examples of a few graphs, with their moves, and their texts and vectors
    kept_vectors   keeps the encoder's vectors in files
    learn          the loss, and the steps of the optimiser
    like_verbs     what nodes of one kind do to one another, and how that is asked
    like_nouns     what they are to one another: nouns and comparisons
    directions     questions that differ in direction alone
    turns          teaches which way relationships go
    teach          from files of lessons to a reader's folder
    graph_lessons  lessons of one graph: made from its schema, and given
    tune           from the lessons of one graph to a reader's folder

`deploy/reader` and `deploy/reader-turns` use what is above `graph_lessons`. That needs torch and
the sentence encoder, and neither a database nor the service's settings, so that it runs on a
machine that has a GPU and little else. `trellis train --base reader` uses the last two.
"""
