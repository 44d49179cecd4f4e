"""The steps of a question. Each is one file, and does one thing.

    shared     steps that every method may use
    choice     steps of choosing among methods
    claims     steps that verify claims
    paths      steps of methods that answer by paths
    chains     steps of methods that reason by chains of triples
    patterns   steps of methods that read questions as patterns
    traces     steps of methods that trace schema graphs
    queries    steps of methods that answer by Cypher queries

A room may import `shared`, and no other room. Steps know the outside only by `domain.ports`. Every
package above may use them: training and hosted models make prompts as answering does.
"""
