"""In which order a schema graph is traced: depth-first from the node with the best anchor."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from trellis.domain.graphs.graph import NodeId
from trellis.domain.structures.patterns import PatternGraph
from trellis.domain.structures.traces import MOST_ANCHORS, TraceSearch

AnchorTable = Mapping[NodeId, float]
"""The best nodes that a node of the schema graph may be, best first, with their scores."""


@dataclass(frozen=True, slots=True)
class TraceStep:
    """One edge. `origin`: the end that is mapped already; `end`: the other one; `closes`: whether
    this is mapped, too."""

    edge: int
    origin: int
    end: int
    closes: bool


def rank_anchors(search: TraceSearch) -> list[AnchorTable | None]:
    """For each node of the schema graph its best anchors; None where any node fits."""
    guided = frozenset(search.guidance)
    tables: list[AnchorTable | None] = []
    for given in search.nodes:
        if given is None:
            tables.append(None)
            continue
        scores: dict[NodeId, float] = {}
        for id, score in zip(given.ids, given.scores, strict=True):
            boosted = score * search.rules.boost if id in guided else score
            scores[id] = max(boosted, scores.get(id, boosted))
        ranked = sorted(scores.items(), key=lambda pair: (-pair[1], pair[0]))
        tables.append(dict(ranked[:MOST_ANCHORS]))
    return tables


def find_start(anchors: Sequence[AnchorTable | None]) -> int:
    """The listed node with the best anchor; the first of several."""
    listed = [node for node, table in enumerate(anchors) if table is not None]
    return max(listed, key=lambda node: (max((anchors[node] or {}).values(), default=-1), -node))


def plan_steps(graph: PatternGraph, start: int) -> list[TraceStep]:
    """The edges of a schema graph in the order in which they are traced."""
    return list(_walk(graph, start, {start}, set()))


def _walk(
    graph: PatternGraph, origin: int, mapped: set[int], used: set[int]
) -> Iterator[TraceStep]:
    for edge, ends in enumerate(graph.edges):
        if edge in used or origin not in ends:
            continue
        used.add(edge)
        end = ends[1] if ends[0] == origin else ends[0]
        yield TraceStep(edge, origin, end, end in mapped)
        if end not in mapped:
            mapped.add(end)
            yield from _walk(graph, end, mapped, used)
