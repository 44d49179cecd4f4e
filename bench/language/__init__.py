"""What languages, masks and workers cost.

    tries       the KG-Trie and its masks
    chains      what a growing graph costs beside a chain
    decoding    what decoding costs beside the model
    cypher      the language of Cypher
    batches     the masks of an engine's batch
    travelling  a language on its way to a worker
    workers     the worker beside the local engine

Parts of `trellis bench`.
"""
