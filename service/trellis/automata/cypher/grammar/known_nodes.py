"""The nodes of a pattern that its last part can refer to."""

from __future__ import annotations

from trellis.automata.cypher.grammar.ways import PatternWay
from trellis.automata.cypher.meaning.query import QueryGraph


def find_comparable_nodes(query: QueryGraph, node: int) -> list[int]:
    """The nodes whose properties a filter of a node can be compared with: none behind it."""
    return [each for each in _list_known_nodes(query, query.nodes[node].scope) if each <= node]


def find_same_nodes(query: QueryGraph, way: PatternWay) -> list[int]:
    """The earlier nodes that the last relationship can come back to."""
    edge = query.edges[-1]
    labels = {end.label for end in way.ends}
    return [
        node
        for node in _list_known_nodes(query, edge.scope)
        if query.nodes[node].label in labels and node != edge.source
    ]


def _list_known_nodes(query: QueryGraph, scope: int) -> list[int]:
    """The nodes that a scope (0: the pattern itself) can refer to, each where it stands first."""
    return [
        index
        for index, node in enumerate(query.nodes)
        if node.same is None and _is_known_in(query, index, scope)
    ]


def _is_known_in(query: QueryGraph, node: int, scope: int) -> bool:
    """Whether a scope (0: the pattern itself) can refer to a node.

    It can refer to nodes of its own and of the pattern itself. A `first` scope can refer to nodes
    of its own and to the node whose first matches it takes.
    """
    own = query.nodes[node].scope
    if scope and query.scopes[scope - 1].kind == "first":
        return own == scope or node == query.scopes[scope - 1].node
    return own in (0, scope)
