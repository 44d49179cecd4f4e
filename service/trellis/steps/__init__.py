"""The steps of a question: link, retrieve, ground, reason, verify. One file each.

Steps know the outside only by `domain.ports`, and never one another.
"""
