"""Gives the nodes and relationships of a query graph other indices."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from trellis.automata.cypher.meaning.items import ReturnItem
from trellis.automata.cypher.meaning.query import (
    SWAPPED,
    PropertyReference,
    QueryEdge,
    QueryFilter,
    QueryGraph,
    QueryNode,
    QueryScope,
)


def reorder_query(
    query: QueryGraph, node_order: Sequence[int], edge_order: Sequence[int]
) -> QueryGraph:
    """The same query with its nodes and relationships in another order.

    Its scopes are numbered in the order of their relationships, and a comparison of two nodes
    belongs to the later one.
    """
    nodes = {node: index for index, node in enumerate(node_order)}
    edges = {edge: index for index, edge in enumerate(edge_order)}
    scopes = dict.fromkeys((query.find_rank(), *(query.edges[e].scope for e in edge_order)))
    numbers = {scope: index for index, scope in enumerate(filter(None, scopes), 1)} | {0: 0}
    renumber = Renumbering(nodes, edges)
    ordered = replace(
        change_items(query, renumber.move_item),
        nodes=tuple(
            replace(renumber.move_node(node), scope=numbers[node.scope])
            for node in (query.nodes[index] for index in node_order)
        ),
        edges=tuple(
            renumber.move_edge(replace(query.edges[e], scope=numbers[query.edges[e].scope]))
            for e in edge_order
        ),
        scopes=tuple(renumber.move_scope(query.scopes[scope - 1]) for scope in scopes if scope),
        groups=tuple(sorted(nodes[node] for node in query.groups)),
    )
    return _place_references(ordered)


class Renumbering:
    """Gives nodes and relationships new indices, everywhere in a query."""

    def __init__(self, nodes: Mapping[int, int], edges: Mapping[int, int]) -> None:
        self._nodes = nodes
        self._edges = edges

    def move_node(self, node: QueryNode) -> QueryNode:
        same = None if node.same is None else self._nodes[node.same]
        return replace(node, same=same, filters=tuple(map(self._move_filter, node.filters)))

    def move_edge(self, edge: QueryEdge) -> QueryEdge:
        return replace(edge, source=self._nodes[edge.source], target=self._nodes[edge.target])

    def move_item(self, item: ReturnItem) -> ReturnItem:
        term = item.term
        if term:
            edge = None if term.edge is None else self._edges[term.edge]
            term = replace(term, node=self._nodes[term.node], edge=edge)
        edge = None if item.edge is None else self._edges[item.edge]
        return replace(item, node=self._nodes[item.node], edge=edge, term=term)

    def move_scope(self, scope: QueryScope) -> QueryScope:
        if not scope.order:
            return scope
        order = replace(scope.order, item=self.move_item(scope.order.item))
        return replace(scope, node=self._nodes[scope.node], order=order)

    def _move_filter(self, each: QueryFilter) -> QueryFilter:
        if each.reference is None:
            return each
        return replace(
            each, reference=replace(each.reference, node=self._nodes[each.reference.node])
        )


def _place_references(query: QueryGraph) -> QueryGraph:
    """The same query, each comparison of two properties at the later node, or property."""
    filters: list[list[QueryFilter]] = [[] for _ in query.nodes]
    for index, node in enumerate(query.nodes):
        for each in node.filters:
            at, placed = _place_filter(index, each)
            filters[at].append(placed)
    nodes = zip(query.nodes, filters, strict=True)
    return replace(query, nodes=tuple(replace(node, filters=tuple(of)) for node, of in nodes))


def _place_filter(node: int, each: QueryFilter) -> tuple[int, QueryFilter]:
    """The node that a filter belongs to, and the filter in the form that it has there."""
    other = each.reference
    if other is None or (other.node, each.property) < (node, other.property):
        return node, each
    if other.node < node:
        return node, each
    turned = replace(
        each,
        property=other.property,
        part=other.part,
        operator=SWAPPED[each.operator],
        reference=PropertyReference(node, each.property, each.part),
    )
    return other.node, turned


def change_items(query: QueryGraph, change: Callable[[ReturnItem], ReturnItem]) -> QueryGraph:
    """The same query, with a change of all that is returned, ordered by or filters groups."""
    return replace(
        query,
        items=tuple(map(change, query.items)),
        orders=tuple(replace(order, item=change(order.item)) for order in query.orders),
        conditions=tuple(replace(each, item=change(each.item)) for each in query.conditions),
    )
