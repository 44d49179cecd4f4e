"""What the methods write and match.

    chains             chains of triples: what one says, and what its graph lacks
    cypher             a query, what the planner and the gate say of it, and its rows
    decompositions     questions as atomic assertions
    patterns           patterns to search for, and the subgraphs that match
    question_patterns  patterns that questions and claims are read as
    traces             schema graphs to trace through a graph, and the traces of them

Imports `domain` alone; every package may import it.
"""
