"""Unfolds the scopes of a query, so that what they match can be returned.

What a scope matches cannot be returned from within it: a copy of the scope is added that is
optional. The scope itself stays, and restricts what it did before.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from trellis.automata.cypher.meaning.query import QueryFilter, QueryGraph, QueryScope


def unfold_scopes(query: QueryGraph) -> QueryGraph:
    """The query with an optional copy of each part that must match, or whose matches are
    counted."""
    for number, scope in enumerate(query.scopes, 1):
        if scope.kind in ("some", "number"):
            query = _copy_scope(query, number)
    return query


def require_denied(query: QueryGraph) -> QueryGraph | None:
    """The query with what must not match made to match; None where nothing is denied."""
    kinds = [scope.kind for scope in query.scopes]
    if "none" not in kinds:
        return None
    scopes = tuple(
        replace(scope, kind="some") if scope.kind == "none" else scope for scope in query.scopes
    )
    return replace(query, scopes=scopes)


def _copy_scope(query: QueryGraph, number: int) -> QueryGraph:
    """The query with one more scope: an optional copy of an existing one."""
    inside = [index for index, node in enumerate(query.nodes) if node.scope == number]
    moved = {index: len(query.nodes) + at for at, index in enumerate(inside)}
    added = len(query.scopes) + 1
    nodes = tuple(
        replace(
            query.nodes[index],
            scope=added,
            same=_move(query.nodes[index].same, moved),
            filters=tuple(_move_filters(query.nodes[index].filters, moved)),
        )
        for index in inside
    )
    edges = tuple(
        replace(
            edge,
            scope=added,
            source=moved.get(edge.source, edge.source),
            target=moved.get(edge.target, edge.target),
        )
        for edge in query.edges
        if edge.scope == number
    )
    return replace(
        query,
        nodes=(*query.nodes, *nodes),
        edges=(*query.edges, *edges),
        scopes=(*query.scopes, QueryScope("optional")),
    )


def _move(index: int | None, moved: dict[int, int]) -> int | None:
    return None if index is None else moved.get(index, index)


def _move_filters(filters: Iterable[QueryFilter], moved: dict[int, int]) -> Iterable[QueryFilter]:
    for each in filters:
        of = each.reference
        if of is None:
            yield each
        else:
            yield replace(each, reference=replace(of, node=moved.get(of.node, of.node)))
