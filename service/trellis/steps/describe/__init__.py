"""What a candidate means, in plain English, without a model.

    phrases            names of labels, relationships and nodes as English phrases
    describe_steps     steps of walks as English phrases
    describe_path      which walks a sentence means, in plain English
    describe_pattern   what a pattern asks for, in plain English
    describe_connection  how two nodes are connected, or that they are not
    describe_shared    what nodes have in common, or that they share nothing
    describe_distance  distances, and what is asked of them
    describe_described  how nodes were found by their texts
    describe_texts     described nodes as texts that a model reads
    describe_answers   the surroundings of an answer as a short text
    queries            queries as English phrases

Knows nothing of a question's words but what it mentions. Imports `retrieve` and `link`.
"""
