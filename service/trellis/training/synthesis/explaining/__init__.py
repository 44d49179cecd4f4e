"""Explaining: for questions with answers alone, the queries that explain these best.

`explain` is the way in. `puzzles` reads a question, `holders` asks which nodes hold what it says,
`patterns` grows trees around these over `relations`, `heads` says what is returned of them,
`beliefs` lets the wording of all questions choose among what explains one equally well, `kept`
goes on where a run broke off, `coverage` counts. Source: GraphRAFT, synthesis of ground-truth
Cypher (section 4.1): templates around the linked values, ranked by hits, precision and brevity.
"""
