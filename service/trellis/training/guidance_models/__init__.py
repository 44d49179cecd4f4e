"""The kind of model that learns to score entities: the Triple-GNN.

    lesson      what it is taught: schema graphs, their anchors, and the entities on the way
    training    trains the network, and calibrates the threshold of traces

Used by task `guidance`.
"""
