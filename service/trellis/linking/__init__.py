"""Linking without I/O: how questions are cut into spans, and how spans, names and values compare.

    text       how names compare, everywhere the same
    values     numbers, dates and other values in questions
    names      which spans may be names, and how names compare
    questions  what the words around names ask for

Used by the graph's searches, the linking steps, training and evaluation. Imports the domain alone.
"""
