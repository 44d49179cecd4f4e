"""What is read before a model writes: languages, prompts and the settings of tasks.

    paths           for task `path`: the KG-Trie (method `gcr`)
    chains          for task `chain`: triples that are read as chains grow (method `dog`)
    patterns        for task `pattern`: the schema as a language of patterns (method `simgrag`)
    queries         for tasks `cypher` and `rank`: the schema and values as Cypher (`graphraft`)
    schema_graphs   for tasks `assertion`, `schema_graph` and `guidance` (method `stem`)
    described       nodes that a question describes, found by their texts (`graphraft`)

Each folder serves one kind of candidate. Training and hosted models make prompts by them, as
answering does. The room imports `link` alone.
"""
