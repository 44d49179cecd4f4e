"""One method each; a pipeline reads from top to bottom as its paper does.

    auto        the methods that can answer, asked as far as it pays
    claims      claims, verified by the facts that the graph has
    gcr         paths inside the KG-Trie
    graphraft   queries inside the language of the schema
    query_search  queries decoded, weighed, run and ranked
    query_reply   from the queries that were found to a reply
    simgrag     patterns, and the subgraphs nearest to them
    dog         chains of triples, over a graph that grows as they do
    connection_reply  how things are connected, by the shortest paths, and what they share
    distance_reply  how far places are apart, and which are near to one
    unclear_names  replies where it is not clear which nodes a question names
    described_part  what is related to a node that a part of a question describes
    described_reply  nodes whose texts a question describes, or what the text of one says
    said_reply  nodes whose texts say what a question wants them to say
    path_reply  from the paths that a model wrote to a reply
    path_witness  whether the graph has what a question asks for at all
    pattern_reply  from patterns that were found in the graph to a reply
    stem        assertions, schema graphs, and their traces
    judging     from what candidates gave to a reply
    record      what a pipeline writes down as it goes: step times, and the reply

Pipelines never import one another. Used by `methods`.
"""
