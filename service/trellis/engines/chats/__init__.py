"""Hosted chat models that write paths, queries, patterns and answers.

    hosted         a hosted chat model that writes paths, queries, patterns and chains
    sampled_texts  what came of asking it: lines, and sentences
    means          by what a hosted model's server keeps to a language
    completions    calls of a hosted chat model
    chat           what a hosted model writes: lines, and their one correction
    json_lines     its sentences as JSON objects
    json_queries   queries as such objects
    query_reader   reads the queries that it writes
    reasoner       a hosted model that words answers

Used by `wiring`, `methods` and the commands.
"""
