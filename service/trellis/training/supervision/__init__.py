"""Weak supervision: what explains the answers of questions that come with nothing else.

    claims          what claims with labels say
    paths           relation paths that reach the answers
    queries         queries that return the answers
    probing         how far explanations have to look, chosen on some of the questions
    word_counts     which parts bring which words (EM), and what a card keeps of that

Used by the tasks, for the questions that have no gold of their own.
"""
