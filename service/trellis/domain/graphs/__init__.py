"""What graphs consist of, and what is told of them.

    graph         nodes, relationships, walks and neighbourhoods
    schema        what a live graph consists of
    graph_config  what somebody says of their own graph
    facts         what evidence consists of: relationships and the text that tells them
    sentences     facts as sentences to read
    links         mentions, and what they may stand for
    places        where nodes are: points, or latitudes and longitudes
    reachable     which relation paths exist from some nodes
    texts         texts of nodes, and what of them is like a question

Imports `domain` alone; every package may import it.
"""
