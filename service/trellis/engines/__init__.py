"""Engines: what runs a model, as adapters of `domain.ports`.

    local            a model folder on this machine, by transformers
    general          a general model: an engine whose prompts are chats
    cached_scorer    a transformers model as a scorer
    network          networks that read blocks of tokens behind a cache
    text_memory      what networks remember of texts, for rows and questions that share them
    llama            a Llama's layers in few operations
    stopping         ends decoding when nobody waits for it
    reader           a small general model that scores moves over any schema
    guidance         a graph network that scores entities
    embeddings       sentence embeddings
    text_ranker      a cross-encoder over a question and a text
    sentence_models  loads both
    chats            hosted chat models
    workers          models that decoding workers run

Used by `wiring`, `methods`, evaluation and the commands, and by the service for its figures;
pipelines and steps see only the ports.
"""
