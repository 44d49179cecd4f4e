"""Distinct edges: say which relationships of a pattern must differ, where that is not as usual.

Usual is that those of one type differ where each leads on from the one before it (whom somebody
knows whom I know), and that others may be one and the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from trellis.automata.cypher.meaning.query import QueryGraph
from trellis.steps.describe.queries.names import PatternNames
from trellis.steps.describe.queries.shape import walk_edges

_Pair = tuple[int, int]


def describe_distinct_edges(query: QueryGraph, names: PatternNames) -> Iterator[str]:
    """What is unusual about a pattern, which is a tree from its first node."""
    order = [edge for edge in walk_edges(query) if query.edges[edge].type]
    clauses = {edge: query.edges[edge].clause for edge in order}
    distinct = set(_iterate_pairs(query, order, [clauses[edge] for edge in order]))
    usual = set(_iterate_pairs(query, order, list(_number_usual_clauses(query, order))))
    for first, second in sorted(distinct ^ usual):
        edge = order[first]
        same_type = [at for at, other in enumerate(order) if _has_type_of(query, other, edge)]
        places = f"{same_type.index(first) + 1} and {same_type.index(second) + 1}"
        must = "differ" if (first, second) in distinct else "may be the same"
        yield f'"{names.get_type_words(edge)}" relationships {places} {must}'


def _has_type_of(query: QueryGraph, edge: int, other: int) -> bool:
    return query.edges[edge].type == query.edges[other].type


def _number_usual_clauses(query: QueryGraph, order: Sequence[int]) -> Iterator[int]:
    """The clauses of the relationships where each that does not lead on begins one."""
    clause, last = 0, 0
    for index in order:
        edge = query.edges[index]
        clause += edge.source != last
        last = edge.target
        yield clause


def _iterate_pairs(
    query: QueryGraph, order: Sequence[int], clauses: Sequence[int]
) -> Iterator[_Pair]:
    """The pairs of one type, scope and clause, by their places in the order."""
    for first, second in combinations(range(len(order)), 2):
        one, other = query.edges[order[first]], query.edges[order[second]]
        same = (one.type, one.scope, clauses[first]) == (other.type, other.scope, clauses[second])
        if same:
            yield first, second
