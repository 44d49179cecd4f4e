"""Engines: adapters that run models behind the ports of `domain.ports`.

    local           a trained folder, run by transformers in this process
    cached_scorer   a transformers model as the scorer of decoding
    stopping        a scorer that stops when nobody waits any more
    worker          a model that decoding workers serve
    replicas        several workers as one
    replica         one worker over HTTP
    hosted          a hosted chat model, whose lines are read by the language
    chat            the protocol of such a chat, whatever the task
    chat_paths      the chat of task `path`
    chat_queries    the chat of task `cypher`
    reasoner        a hosted model that answers from numbered facts
    embeddings      sentence embeddings

Built by `wiring`; methods name the chat formats; house, service, commands and benchmarks use the
rest.
"""
