"""The steps of a question: link, retrieve, ground, reason, verify. One file each.

    shared    steps that every method may use
    paths     steps of methods that answer by paths
    queries   steps of methods that answer by Cypher queries

Steps know the outside only by `domain.ports`. Pipelines put them together, and every layer above
may use them: training builds its prompts here, so that a model is asked as it was trained.
"""
