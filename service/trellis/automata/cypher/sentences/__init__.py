"""From a query graph to its one sentence.

    canonical        chooses the sentence
    labels           finds the labels that a query leaves open
    trees            arranges a query graph as a tree
    renumbering      gives its nodes and relationships other indices
    writing          writes the sentence of a tree
    pattern_writing  writes its nodes, filters and relationships
    row_writing      writes what is returned
    normal_rows      brings items, groups and orders into one form

Used by training, which learns these sentences, and by the steps that tell equal queries.
"""
