"""Arranges a query graph as the tree that a sentence says, from its first node on.

Each relationship leads away from the first node. A node that the pattern comes back to stands in
the tree once more (`same`). A part that no relationship joins to the rest hangs on the first node.
"""

from __future__ import annotations

from dataclasses import replace

from trellis.automata.cypher.meaning.items import WHETHER, ReturnItem
from trellis.automata.cypher.meaning.query import (
    TURNED,
    QueryEdge,
    QueryGraph,
    QueryNode,
    QueryScope,
)
from trellis.automata.cypher.sentences.renumbering import Renumbering, change_items, reorder_query
from trellis.domain.errors import CypherReadError


def make_tree(query: QueryGraph, root: int) -> QueryGraph:
    """The same query as a tree from a node, which is its first."""
    return _TreeBuilder(query, root).build_tree()


def find_root(query: QueryGraph) -> int:
    """The node that a sentence of a query begins with: that of the first item."""
    for item in query.items[:1]:
        if item.edge is None and not query.nodes[item.node].scope:
            return item.node
    return next((index for index, node in enumerate(query.nodes) if not node.scope), 0)


def join_same_nodes(query: QueryGraph) -> QueryGraph:
    """The same query where each node stands once, and no edge begins a separate part."""
    kept = [index for index, node in enumerate(query.nodes) if node.same is None]
    to = {node: index for index, node in enumerate(kept)}
    to |= {i: to[node.same] for i, node in enumerate(query.nodes) if node.same is not None}
    joining = [index for index, edge in enumerate(query.edges) if edge.type]
    renumber = Renumbering(to, {edge: index for index, edge in enumerate(joining)})
    return replace(
        change_items(query, renumber.move_item),
        nodes=tuple(renumber.move_node(query.nodes[node]) for node in kept),
        edges=tuple(renumber.move_edge(query.edges[edge]) for edge in joining),
        scopes=tuple(map(renumber.move_scope, query.scopes)),
        groups=tuple(to[node] for node in query.groups),
    )


def fold_rank(query: QueryGraph) -> QueryGraph:
    """The same query without a `first` scope where all rows are the nodes of that scope.

    The order and the number of the scope are then those of the rows.
    """
    number = query.find_rank()
    others = [edge for edge in query.edges if edge.scope != number]
    if not number or len(query.scopes) > 1 or others or _restricts_rows(query):
        return query
    scope = query.scopes[0]
    if any(not node.scope and index != scope.node for index, node in enumerate(query.nodes)):
        return query
    assert scope.order
    return replace(
        query,
        nodes=tuple(replace(node, scope=0) for node in query.nodes),
        edges=tuple(replace(edge, scope=0) for edge in query.edges),
        scopes=(),
        orders=(scope.order,),
        limit=scope.limit,
        skip=scope.skip,
        groups=(scope.node,) if scope.order.item.is_aggregate else (),
    )


def _restricts_rows(query: QueryGraph) -> bool:
    """Whether a query groups, orders, limits or tests its rows."""
    return (
        query.is_grouped
        or query.is_distinct
        or bool(query.orders)
        or query.limit is not None
        or any(item.form == WHETHER for item in query.items)
    )


class _TreeBuilder:
    """Grows a tree: first the main pattern and its separate parts, then the scopes."""

    def __init__(self, query: QueryGraph, root: int) -> None:
        self._query = query
        self._nodes = list(query.nodes)
        self._edges: list[QueryEdge] = []
        self._indices: dict[int, int] = {}  # the index in the tree of each relationship
        self._left = dict(enumerate(query.edges))
        self._reached = [root]

    def build_tree(self) -> QueryGraph:
        self._grow(0)
        for node, of in enumerate(self._query.nodes):
            if not of.scope and node not in self._reached:
                self._begin_part(node)
                self._grow(0)
        for scope in range(1, len(self._query.scopes) + 1):
            self._grow(scope)
        if self._left or len(self._reached) < len(self._nodes):
            raise CypherReadError("a part of a condition is joined to nothing outside of it")
        query = replace(
            change_items(self._query, self._move_item),
            nodes=tuple(self._nodes),
            edges=tuple(self._edges),
            scopes=tuple(map(self._move_scope, self._query.scopes)),
        )
        root, *others = self._reached[0], *sorted(self._reached[1:])
        return reorder_query(query, [root, *others], range(len(self._edges)))

    def _move_item(self, item: ReturnItem) -> ReturnItem:
        """The same item; that of a relationship has the node to which this leads in the tree."""
        if item.term and item.term.edge is not None:
            edge = self._indices[item.term.edge]
            term = replace(item.term, edge=edge, node=self._edges[edge].target)
            item = replace(item, term=term)
        if item.edge is None:
            return item
        edge = self._indices[item.edge]
        return replace(item, edge=edge, node=self._edges[edge].target)

    def _move_scope(self, scope: QueryScope) -> QueryScope:
        if not scope.order:
            return scope
        return replace(scope, order=replace(scope.order, item=self._move_item(scope.order.item)))

    def _begin_part(self, node: int) -> None:
        self._edges.append(QueryEdge(self._reached[0], node, "", "any"))
        self._reached.append(node)

    def _grow(self, scope: int) -> None:
        """Add all relationships of a scope that join nodes which were reached."""
        while True:
            joined = next(
                (
                    index
                    for index, edge in self._left.items()
                    if edge.scope == scope and {edge.source, edge.target} & {*self._reached}
                ),
                None,
            )
            if joined is None:
                return
            self._indices[joined] = len(self._edges)
            self._edges.append(self._turn_edge(self._left.pop(joined)))

    def _turn_edge(self, edge: QueryEdge) -> QueryEdge:
        """Turn a relationship so that it leads away from what was reached, or back to it."""
        ends = (edge.source, edge.target)
        if all(end in self._reached for end in ends):
            if edge.source == edge.target:
                raise CypherReadError("a relationship of a node with itself cannot be said")
            if self._reached.index(edge.source) < self._reached.index(edge.target):
                edge = _reverse_edge(edge)
            self._nodes.append(QueryNode(same=edge.target, scope=edge.scope))
            edge = replace(edge, target=len(self._nodes) - 1)
        elif edge.source not in self._reached:
            edge = _reverse_edge(edge)
        self._reached.append(edge.target)
        return edge


def _reverse_edge(edge: QueryEdge) -> QueryEdge:
    """The same relationship, seen from its other end."""
    return replace(edge, source=edge.target, target=edge.source, direction=TURNED[edge.direction])
