"""Steps that every method may use.

    link         finds the mentions of a question and the nodes that each may stand for
    fit          orders nodes of one name by how well they fit the question
    nearest      finds the names most like the question where nothing is linked
    candidates   drops candidates that are too improbable to be run
    reason       chooses the answers from what the candidates reach
    verify       checks in the database that the facts of an answer still exist

Used by the steps of `queries`, and by every layer above the steps.
"""
