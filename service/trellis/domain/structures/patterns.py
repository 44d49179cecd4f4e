"""Patterns to search for in a graph, and the subgraphs that match them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from trellis.domain.errors import PatternError
from trellis.domain.graphs.graph import Node, NodeId, Triple

MOST_PATTERN_NODES = MOST_PATTERN_EDGES = 16
"""The most nodes, and the most edges, that a pattern may have."""

MOST_MATCHES = 100_000
"""The most matches of one search."""

MOST_DISTANCE = 1e9
"""The largest distance of a candidate."""

_MOST_TICKS = 1e16
_FINEST_SCALE = 1e12


@dataclass(frozen=True, slots=True)
class PatternGraph:
    """A small graph to be found: `nodes` of them, and `edges` as pairs of their indices from 0.

    Parallel edges and self-loops are allowed. Raises PatternError if it is empty, too large, or of
    several parts.
    """

    nodes: int
    edges: tuple[tuple[int, int], ...]

    def __post_init__(self) -> None:
        if not 1 <= self.nodes <= MOST_PATTERN_NODES:
            raise PatternError(
                f"a pattern of {self.nodes} nodes", f"give it 1 to {MOST_PATTERN_NODES}"
            )
        if len(self.edges) > MOST_PATTERN_EDGES:
            raise PatternError(
                f"a pattern of {len(self.edges)} edges", f"give it at most {MOST_PATTERN_EDGES}"
            )
        for position, edge in enumerate(self.edges):
            if any(not 0 <= end < self.nodes for end in edge):
                raise PatternError(
                    f"edge {position} of the pattern joins {edge[0]} and {edge[1]}",
                    f"number the nodes from 0 to {self.nodes - 1}",
                )
        if not self._is_connected():
            raise PatternError(
                "the pattern has several parts", "join them by edges, or ask for each part alone"
            )

    def _is_connected(self) -> bool:
        reached = {0}
        for _ in range(self.nodes):
            reached.update(end for edge in self.edges if reached & {*edge} for end in edge)
        return len(reached) == self.nodes


@dataclass(frozen=True, slots=True)
class NodeCandidates:
    """The nodes `ids` [n] that a pattern's node may be, and the distance of each [n]."""

    ids: tuple[NodeId, ...]
    distances: tuple[float, ...]

    def __post_init__(self) -> None:
        check_distances("node", self.ids, self.distances)


@dataclass(frozen=True, slots=True)
class LabelCandidates:
    """A pattern's node may be any with one of `labels` [n], at the least of their `distances`
    [n]."""

    labels: tuple[str, ...]
    distances: tuple[float, ...]

    def __post_init__(self) -> None:
        check_distances("label", self.labels, self.distances)


@dataclass(frozen=True, slots=True)
class RelationCandidates:
    """The relationship types `types` [n] that a pattern's edge may be, and the distance of each
    [n]."""

    types: tuple[str, ...]
    distances: tuple[float, ...]

    def __post_init__(self) -> None:
        check_distances("relation", self.types, self.distances)


@dataclass(frozen=True, slots=True)
class PatternSearch:
    """A pattern with the candidates of its nodes and edges; None: anything fits, at no distance.

    What is not listed does not fit. `directed`: whether a relationship must lead from an edge's
    source to its target.
    """

    pattern: PatternGraph
    nodes: tuple[NodeCandidates | LabelCandidates | None, ...]
    relations: tuple[RelationCandidates | None, ...]
    directed: bool = False

    def __post_init__(self) -> None:
        check_entries("pattern", self.pattern, self.nodes, self.relations)

    def iterate_distances(self) -> Iterator[float]:
        """All distances of all candidates."""
        for listed in (*self.nodes, *self.relations):
            yield from listed.distances if listed else ()


@dataclass(frozen=True, slots=True)
class PatternMatch:
    """A subgraph that matches a pattern: one mapping of its nodes.

    `distance`: its graph semantic distance. `nodes`: in the order of the pattern's nodes.
    `triples`: the relationships as they stand in the graph, in the order of the pattern's edges;
    `relationships`: their element ids.
    """

    distance: float
    nodes: tuple[Node, ...]
    triples: tuple[Triple, ...]
    relationships: tuple[str, ...] = field(compare=False)


@dataclass(frozen=True, slots=True)
class PatternMatches:
    """The matches found, nearest first; equally near ones by their nodes' ids, as texts.

    `is_complete`: whether they are exactly the nearest. It is false if time or memory ran out
    before that was certain.
    """

    matches: tuple[PatternMatch, ...]
    is_complete: bool = True


@dataclass(frozen=True, slots=True)
class DistanceScale:
    """Distances as whole numbers of ticks, so that equal sums are equal in any order.

    A tick is 1e-12 if no distance is above 10,000, and larger by a power of ten otherwise.
    """

    ticks_per_unit: float

    @classmethod
    def of(cls, search: PatternSearch) -> DistanceScale:
        scale, largest = _FINEST_SCALE, max(search.iterate_distances(), default=0.0)
        while largest * scale > _MOST_TICKS:
            scale /= 10
        return cls(scale)

    def count_ticks(self, distance: float) -> int:
        return round(distance * self.ticks_per_unit)

    def compute_distance(self, ticks: int) -> float:
        return ticks / self.ticks_per_unit


def check_entries(
    name: str, graph: PatternGraph, nodes: Sequence[object], relations: Sequence[object]
) -> None:
    """Raise PatternError unless there is one entry for each node and edge of a graph."""
    for what, size, given in (
        ("nodes", graph.nodes, nodes),
        ("relations", len(graph.edges), relations),
    ):
        if len(given) != size:
            raise PatternError(
                f"the candidates list {len(given)} {what}, and the {name} has {size}",
                "give one entry for each, null where anything fits",
            )


def check_limit(limit: int) -> None:
    """Raise PatternError unless a search may give so many matches."""
    if not 1 <= limit <= MOST_MATCHES:
        raise PatternError(f"{limit} matches were asked for", f"ask for 1 to {MOST_MATCHES}")


def check_distances(kind: str, names: Sequence[str], distances: Sequence[float]) -> None:
    """Raise PatternError unless there is one distance for each name, from 0 to MOST_DISTANCE."""
    if len(names) != len(distances):
        raise PatternError(
            f"{len(names)} {kind} candidates have {len(distances)} distances",
            "give one distance for each",
        )
    for name, distance in zip(names, distances, strict=True):
        if not (math.isfinite(distance) and 0 <= distance <= MOST_DISTANCE):
            raise PatternError(
                f"the distance of the {kind} candidate {name!r} is {distance}",
                f"give a number from 0 to {MOST_DISTANCE:.0f}",
            )
