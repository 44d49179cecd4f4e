"""The edges of a pattern that join the same two nodes, and what relationships cost them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from trellis.domain.graphs.graph import NodeId
from trellis.domain.structures.patterns import DistanceScale, PatternSearch
from trellis.graph.patterns.assignment import choose_columns, find_least_sum


@dataclass(frozen=True, slots=True, order=True)
class StoredRelationship:
    """A relationship that was read, by element ids."""

    id: str
    type: str
    start: NodeId
    end: NodeId


@dataclass(frozen=True, slots=True)
class EdgeGroup:
    """Edges between the pattern's nodes `first` and `second`; they take different relationships.

    `edges`: their indices. `forward`: for each whether it leads from first to second. `ticks`: for
    each the distance of each type; None: any type, at no distance.
    """

    first: int
    second: int
    edges: tuple[int, ...]
    forward: tuple[bool, ...]
    ticks: tuple[Mapping[str, int] | None, ...]
    directed: bool

    @property
    def types(self) -> frozenset[str] | None:
        """The types that fit any of the edges; None: all types."""
        if any(ticks is None for ticks in self.ticks):
            return None
        return frozenset(name for ticks in self.ticks for name in ticks or ())

    def find_cost(
        self, relationships: Sequence[StoredRelationship], first: NodeId, second: NodeId
    ) -> int | None:
        """The least sum of the edges' distances between two nodes; None if they do not fit."""
        if len(relationships) < len(self.edges):
            return None
        costs = self._list_costs(relationships, first, second)
        if len(costs) == 1:
            return min((cost for cost in costs[0] if cost is not None), default=None)
        return find_least_sum(_drop_useless_columns(costs))

    def choose(
        self, relationships: Sequence[StoredRelationship], first: NodeId, second: NodeId
    ) -> list[StoredRelationship]:
        """The relationship of each edge at the least sum; of those the first by their ids."""
        ordered = sorted(relationships)
        columns = choose_columns(self._list_costs(ordered, first, second)) or []
        return [ordered[column] for column in columns]

    def _list_costs(
        self, relationships: Sequence[StoredRelationship], first: NodeId, second: NodeId
    ) -> list[list[int | None]]:
        return [
            [
                _find_ticks(ticks, r.type)
                if self._fits_direction(r, first, second, forward)
                else None
                for r in relationships
            ]
            for ticks, forward in zip(self.ticks, self.forward, strict=True)
        ]

    def _fits_direction(
        self, relationship: StoredRelationship, first: NodeId, second: NodeId, forward: bool
    ) -> bool:
        start = first if forward else second
        return not self.directed or relationship.start == start


def _find_ticks(ticks: Mapping[str, int] | None, relation: str) -> int | None:
    return 0 if ticks is None else ticks.get(relation)


def _drop_useless_columns(costs: list[list[int | None]]) -> list[list[int | None]]:
    """Of each row only its cheapest columns, as many as there are rows: one of them is free."""
    useful: set[int] = set()
    for row in costs:
        fitting = [(cost, column) for column, cost in enumerate(row) if cost is not None]
        useful.update(column for _, column in sorted(fitting)[: len(costs)])
    return [[row[column] for column in sorted(useful)] for row in costs]


def group_edges(search: PatternSearch, scale: DistanceScale) -> list[EdgeGroup]:
    """The groups of a pattern's edges, in the order of their first edges."""
    members: dict[tuple[int, int], list[int]] = {}
    for position, (source, target) in enumerate(search.pattern.edges):
        members.setdefault((min(source, target), max(source, target)), []).append(position)
    return [
        EdgeGroup(
            first,
            second,
            tuple(edges),
            tuple(search.pattern.edges[edge][0] == first for edge in edges),
            tuple(_count_type_ticks(search, edge, scale) for edge in edges),
            search.directed,
        )
        for (first, second), edges in members.items()
    ]


def _count_type_ticks(
    search: PatternSearch, edge: int, scale: DistanceScale
) -> dict[str, int] | None:
    given = search.relations[edge]
    return None if given is None else count_least_ticks(given.types, given.distances, scale)


def count_least_ticks(
    names: Sequence[str], distances: Sequence[float], scale: DistanceScale
) -> dict[str, int]:
    """The distance of each name in ticks; of a name that is listed twice the least."""
    ticks: dict[str, int] = {}
    for name, distance in zip(names, distances, strict=True):
        counted = scale.count_ticks(distance)
        ticks[name] = min(counted, ticks.get(name, counted))
    return ticks
