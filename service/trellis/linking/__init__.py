"""Linking without I/O: how the text of a question is cut into spans, and how spans, names and
values are compared.

Used by the graph's searches, by the linking steps and by training. Knows only the domain.
"""
