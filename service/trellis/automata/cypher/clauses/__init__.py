"""Says queries as ordinary Cypher, clause by clause: the rendering `cypher` of the language.

A sentence is the text of a query on one line, ` MATCH (p:Person)-[:ACTED_IN]->(f:Film) WHERE
f.title = $v0 RETURN p.name`. Variables are made of labels, names are quoted only where they must
be, and Neo4j runs the text as it stands. It says the same query graphs as the rendering `brief`,
with what the schema, the linked values and the groundings allow there. A move often begins with the
bracket that closes what is before it, so that its tokens are those of the whole text.

    grammar        joins the clauses of a sentence
    texts          writes names, variables, values and operands
    matching       the moves of MATCH: nodes, relationships and branches
    subpatterns    the moves of EXISTS, COUNT and OPTIONAL MATCH
    conditions     the moves of WHERE
    heads          the beginnings of conditions
    returning      the moves of RETURN: items
    ordering       the moves of ORDER BY, SKIP and LIMIT
    operand_moves  the moves of what is returned, ordered by or grouped
    grouping       the moves of WITH: groups, conditions on them, first nodes in an order
    rendering      writes a query graph as the text of a sentence
    spelling       finds the moves of the one sentence of a query graph

The language chooses between the renderings; nobody else uses this folder.
"""
