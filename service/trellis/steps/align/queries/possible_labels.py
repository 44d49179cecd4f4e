"""Possible labels: what a query's nodes without a label may be, by the relationships they have."""

from __future__ import annotations

from collections.abc import Iterator

from trellis.automata.cypher.meaning.query import QueryEdge, QueryGraph
from trellis.domain.graphs.schema import Schema


def find_possible_labels(graph: QueryGraph, schema: Schema) -> list[frozenset[str]]:
    """The labels that each node of a query may have: its own, or those at which all of its
    relationships start or end; none where nothing tells."""
    return [
        frozenset((node.label,)) if node.label else _read_relationships(graph, number, schema)
        for number, node in enumerate(graph.nodes)
    ]


def _read_relationships(graph: QueryGraph, number: int, schema: Schema) -> frozenset[str]:
    found = [
        frozenset(_list_ends(edge, number, schema))
        for edge in graph.edges
        if edge.type and number in (edge.source, edge.target)
    ]
    return frozenset.intersection(*found) if found else frozenset()


def _list_ends(edge: QueryEdge, number: int, schema: Schema) -> Iterator[str]:
    """The labels at the end of a relationship where a node is."""
    for kind in schema.relationships:
        if kind.type == edge.type:
            is_out = (edge.direction == "out") == (edge.source == number)
            if is_out or edge.direction == "any":
                yield kind.start_label
            if not is_out or edge.direction == "any":
                yield kind.end_label
