"""Pattern search by trying every mapping: the reference that all implementations are held to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations, permutations

from trellis.domain.errors import PatternError
from trellis.domain.graphs.graph import Node, Triple
from trellis.domain.structures.patterns import (
    LabelCandidates,
    NodeCandidates,
    PatternMatch,
    PatternMatches,
    PatternSearch,
    check_limit,
)

Triples = Sequence[tuple[int, str, int]]
Mapped = tuple[int, ...]
Choice = tuple[Fraction, tuple[int, ...]]  # a sum of distances, and a relationship for each edge


def search_by_brute_force(
    nodes: Sequence[Node], triples: Triples, search: PatternSearch, limit: int
) -> PatternMatches:
    """All mappings, each with its best relationships, in order; the first `limit` of them.

    A relationship's id is `r` and its index.
    """
    check_limit(limit)
    known = {node.id for node in nodes}
    for given in search.nodes:
        if isinstance(given, NodeCandidates) and not known >= {*given.ids}:
            raise PatternError("a candidate is not there", "list nodes that are there")
    found = []
    for mapped in _iterate_mappings(nodes, triples, search, ()):
        choice = _choose_relationships(triples, search, mapped)
        if choice is not None:
            cost = sum(
                (_rate_node(search, i, nodes[m]) or Fraction(0)) for i, m in enumerate(mapped)
            )
            found.append((cost + choice[0], [nodes[m].id for m in mapped], mapped, choice[1]))
    found.sort(key=lambda match: match[:2])
    return PatternMatches(
        tuple(
            PatternMatch(
                float(cost),
                tuple(nodes[m] for m in mapped),
                tuple(_make_triple(nodes, triples[r]) for r in relationships),
                tuple(f"r{r}" for r in relationships),
            )
            for cost, _, mapped, relationships in found[:limit]
        )
    )


def _iterate_mappings(
    nodes: Sequence[Node], triples: Triples, search: PatternSearch, mapped: Mapped
) -> Iterator[Mapped]:
    """All injective mappings to nodes that fit and are joined as the pattern's are."""
    at = len(mapped)
    if at == search.pattern.nodes:
        yield mapped
        return
    joined = [
        b if a == at else a for a, b in search.pattern.edges if at in (a, b) and min(a, b) < at
    ]
    beside = [_list_beside(triples, mapped[other]) for other in joined]
    allowed = set.intersection(*beside) if beside else range(len(nodes))
    for candidate in allowed:
        if candidate not in mapped and _rate_node(search, at, nodes[candidate]) is not None:
            yield from _iterate_mappings(nodes, triples, search, (*mapped, candidate))


def _list_beside(triples: Triples, node: int) -> set[int]:
    return {t if h == node else h for h, _, t in triples if node in (h, t)}


def _rate_node(search: PatternSearch, at: int, node: Node) -> Fraction | None:
    given = search.nodes[at]
    if given is None:
        return Fraction(0)
    names = given.labels if isinstance(given, LabelCandidates) else given.ids
    have = node.labels if isinstance(given, LabelCandidates) else (node.id,)
    pairs = zip(names, given.distances, strict=True)
    return min((_exactly(d) for name, d in pairs if name in have), default=None)


def _exactly(distance: float) -> Fraction:
    """The decimal number that a distance is written as."""
    return Fraction(str(distance))


def _choose_relationships(triples: Triples, search: PatternSearch, mapped: Mapped) -> Choice | None:
    """The best relationships of all edges: pair by pair of nodes, every way to choose them."""
    pairs = {frozenset(edge) for edge in search.pattern.edges}
    chosen: dict[int, int] = {}
    total = Fraction(0)
    for pair in pairs:
        edges = [i for i, edge in enumerate(search.pattern.edges) if frozenset(edge) == pair]
        ends = {mapped[node] for node in pair}
        between = [i for i, (h, _, t) in enumerate(triples) if {h, t} == ends]
        best = min(_iterate_choices(triples, search, mapped, edges, between), default=None)
        if best is None:
            return None
        total += best[0]
        chosen |= dict(zip(edges, best[2], strict=True))
    return total, tuple(chosen[i] for i in range(len(search.pattern.edges)))


def _iterate_choices(
    triples: Triples,
    search: PatternSearch,
    mapped: Mapped,
    edges: Sequence[int],
    between: Sequence[int],
) -> Iterator[tuple[Fraction, list[str], tuple[int, ...]]]:
    for some in combinations(between, len(edges)):
        for order in permutations(some):
            rated = [
                _rate_edge(search, e, triples[r], mapped) for e, r in zip(edges, order, strict=True)
            ]
            if None not in rated:
                total = sum((r for r in rated if r is not None), Fraction(0))
                yield total, [f"r{r}" for r in order], order


def _rate_edge(
    search: PatternSearch, edge: int, triple: tuple[int, str, int], mapped: Mapped
) -> Fraction | None:
    source, target = (mapped[node] for node in search.pattern.edges[edge])
    if search.directed and (triple[0], triple[2]) != (source, target):
        return None
    given = search.relations[edge]
    if given is None:
        return Fraction(0)
    pairs = zip(given.types, given.distances, strict=True)
    return min((_exactly(d) for name, d in pairs if name == triple[1]), default=None)


def _make_triple(nodes: Sequence[Node], triple: tuple[int, str, int]) -> Triple:
    head, relation, tail = triple
    return Triple(nodes[head], relation, nodes[tail])
