"""In which order a pattern's nodes are read and matched."""

from __future__ import annotations

from dataclasses import dataclass

from trellis.domain.structures.patterns import LabelCandidates, NodeCandidates, PatternSearch


@dataclass(frozen=True, slots=True)
class MatchingPlan:
    """`order`: all nodes, each but the first beside an earlier one. `parents`: for each node that
    earlier neighbour; the root has None."""

    order: tuple[int, ...]
    parents: tuple[int | None, ...]


def plan_matching(search: PatternSearch) -> MatchingPlan:
    """Begin with the node of fewest candidates, then take listed neighbours first."""
    neighbours = _find_neighbours(search)
    root = min(range(search.pattern.nodes), key=lambda node: (_rank_size(search, node), node))
    order = [root]
    parents: list[int | None] = [None] * search.pattern.nodes
    while len(order) < search.pattern.nodes:
        reached = {b for a in order for b in neighbours[a]} - {*order}
        closing = {node: len(neighbours[node] & {*order}) > 1 for node in reached}
        best = min(reached, key=lambda n: (not closing[n], _rank_size(search, n), n))
        parents[best] = next(node for node in order if node in neighbours[best])
        order.append(best)
    return MatchingPlan(tuple(order), tuple(parents))


def _find_neighbours(search: PatternSearch) -> list[set[int]]:
    neighbours: list[set[int]] = [set() for _ in range(search.pattern.nodes)]
    for source, target in search.pattern.edges:
        if source != target:
            neighbours[source].add(target)
            neighbours[target].add(source)
    return neighbours


def _rank_size(search: PatternSearch, node: int) -> tuple[int, int]:
    """Listed nodes first, the fewest first of them, then nodes of a label, then any nodes."""
    given = search.nodes[node]
    if isinstance(given, NodeCandidates):
        return 0, len(given.ids)
    return (1, len(given.labels)) if isinstance(given, LabelCandidates) else (2, 0)
