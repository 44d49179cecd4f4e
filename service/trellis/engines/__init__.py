"""Engines: what runs a model, as adapters of `domain.ports`.

    local           a model folder on this machine, by transformers
    general         a general model: an engine whose prompts are chats
    cached_scorer   a transformers model as a scorer
    network         networks that read blocks of tokens behind a cache
    text_memory     what networks remember of texts, for rows and questions that share them
    llama           a Llama's layers in few operations
    stopping        ends decoding when nobody waits for it
    worker          models that decoding workers run
    replica         one decoding worker over HTTP
    replicas        several workers as one
    hosted          a hosted chat model that writes paths, queries, patterns and chains
    sampled_texts   what came of asking it: lines, and sentences
    means           by what a hosted model's server keeps to a language
    completions     calls of a hosted chat model
    chat            what a hosted model writes: lines, and their one correction
    json_lines      its sentences as JSON objects
    json_queries    queries as such objects
    query_reader    reads the queries that it writes
    reader          a small general model that scores moves over any schema
    reasoner        a hosted model that words answers
    guidance        a graph network that scores entities
    embeddings      sentence embeddings
    text_ranker     a cross-encoder over a question and a text
    sentence_models  loads both

Used by `wiring`, `methods`, evaluation and the commands, and by the service for its figures;
pipelines and steps see only the ports.
"""
