"""Explaining by paths: for questions with answers alone, the relation paths that reach these best.

    explain_paths   the way in: questions in their readings, each with the paths that answer it
    path_readings   the mentions of questions, as the linker will give them
    explanations    which paths reproduce answers
    mixture         which of these the wording means (EM)
    plain_queries   gold queries that are nothing but paths

Used by the tasks that learn from paths. Source of the idea: GCR's and RoG's silver paths.
"""
