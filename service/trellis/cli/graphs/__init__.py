"""Commands that bring a graph.

    neo4j    a Neo4j with our procedures
    load     graph files into Neo4j
    convert  a benchmark's knowledge base as graph files
    index    makes an existing graph ready
    wording  a wording file for the loaded graph

Each command is the function of its own name in the file of its own name.
"""
