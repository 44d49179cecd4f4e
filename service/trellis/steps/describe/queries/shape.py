"""Pattern shape: what follows from how a pattern, a tree from its first node, hangs together."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace

from trellis.automata.cypher.meaning.query import (
    SWAPPED,
    Direction,
    PropertyReference,
    QueryEdge,
    QueryFilter,
    QueryGraph,
)
from trellis.domain.graphs.schema import Schema


def find_direction(query: QueryGraph, edge: QueryEdge, schema: Schema) -> Direction:
    """The direction of a relationship; the only one that the schema has where none is said."""
    if edge.direction != "any" or schema.estimated:
        return edge.direction
    kinds = [kind for kind in schema.relationships if kind.type == edge.type]
    ends = {(kind.start_label, kind.end_label) for kind in kinds}
    source, target = (_get_label(query, node) for node in (edge.source, edge.target))
    out = any(source in ("", a) and target in ("", b) for a, b in ends)
    into = any(target in ("", a) and source in ("", b) for a, b in ends)
    return "any" if out == into else "out" if out else "in"


def _get_label(query: QueryGraph, index: int) -> str:
    node = query.nodes[index]
    return query.nodes[node.same].label if node.same is not None else node.label


def find_property_type(query: QueryGraph, node: int, each: QueryFilter, schema: Schema) -> str:
    """The type of what a filter of a node compares; empty where that is left open."""
    kind = schema.label(_get_label(query, node))
    properties = kind.properties if kind else ()
    types = [of.type for of in properties if of.name == each.property and not each.part]
    return types[0] if types else ""


def walk_edges(query: QueryGraph, node: int = 0) -> Iterator[int]:
    """The relationships in the order in which they are described: of a node first those that
    choose the first of such nodes, last those that begin another condition."""
    begun = [index for index, edge in enumerate(query.edges) if edge.source == node]
    for index in sorted(begun, key=lambda index: _get_kind_place(query, index)):
        yield index
        yield from walk_edges(query, query.edges[index].target)


def _get_kind_place(query: QueryGraph, index: int) -> int:
    edge = query.edges[index]
    if edge.scope == query.nodes[edge.source].scope:
        return 1
    return 0 if query.scopes[edge.scope - 1].kind == "first" else 2


def find_inlined_parts(
    query: QueryGraph, referred: Collection[int]
) -> Iterator[tuple[int, tuple[int, QueryFilter]]]:
    """Parts of one node that is there to be compared with: the node that it is compared with, and
    the comparison as that node's."""
    for edge in query.edges:
        part = edge.target
        of_part = [other for other in query.edges if part in (other.source, other.target)]
        compared = [each for each in query.nodes[part].filters if each.reference]
        if edge.type or len(of_part) > 1 or part in referred or len(compared) != 1:
            continue
        own = compared[0].reference
        others = [f.reference for i, n in enumerate(query.nodes) if i != part for f in n.filters]
        if own and own.node != part and not any(o and o.node == part for o in others):
            yield part, (own.node, _swap_comparison(part, compared[0], own))


def _swap_comparison(part: int, each: QueryFilter, own: PropertyReference) -> QueryFilter:
    return replace(
        each,
        property=own.property,
        part=own.part,
        operator=SWAPPED[each.operator],
        reference=PropertyReference(part, each.property, each.part),
    )
