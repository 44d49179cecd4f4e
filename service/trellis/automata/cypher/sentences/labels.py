"""Finds the labels that a pattern leaves open, where the schema allows only one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from trellis.automata.cypher.grammar.ways import PatternContinuations
from trellis.automata.cypher.meaning.query import TURNED, QueryEdge, QueryGraph
from trellis.automata.cypher.words.indexed_schema import IndexedSchema


def add_certain_labels(query: QueryGraph, known: IndexedSchema) -> QueryGraph:
    """The same query, with a label for each node whose relationships and filters allow only one."""
    for _ in query.nodes:
        for node, of in enumerate(query.nodes):
            possible = () if of.label else tuple(_find_possible_labels(query, node, known))
            if len(possible) == 1:
                nodes = list(query.nodes)
                nodes[node] = replace(of, label=possible[0])
                query = replace(query, nodes=tuple(nodes))
    return query


def _find_possible_labels(query: QueryGraph, node: int, known: IndexedSchema) -> Iterator[str]:
    """The labels that a node can have; the empty label stands for nodes without any."""
    asked = {each.property for each in query.nodes[node].filters}
    references = (each.reference for each in query.iterate_filters() if each.reference)
    asked |= {each.property for each in references if each.node == node}
    asked.discard("")
    edges = [edge for edge in query.edges if edge.type and node in (edge.source, edge.target)]
    if not edges:
        return
    for label in known.ways.labels:
        has = {kind.name for kind in known.list_properties((label,))}
        if asked <= has and all(
            _has_relationship(query, node, label, edge, known.ways) for edge in edges
        ):
            yield label


def _has_relationship(
    query: QueryGraph, node: int, label: str, edge: QueryEdge, ways: PatternContinuations
) -> bool:
    """Whether a node of some label can have a relationship of the pattern."""
    other = edge.source + edge.target - node
    direction = edge.direction if node == edge.source else TURNED[edge.direction]
    wanted = query.nodes[other].label
    return any(
        way.type == edge.type
        and (direction == "any" or way.direction in ("any", direction))
        and any(not wanted or wanted in end.labels for end in way.ends)
        for way in ways.find_ways((label,))
    )
