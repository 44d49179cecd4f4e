"""Grounding: what the nodes of linked values reach restricts the patterns that have them.

A pattern may begin anywhere. Once a node of it is one of a value's, every way from there has to
exist in the graph: those said already, else the value cannot be said there; and all that follow.
Source: GraphRAFT, section on grounded constrained decoding; any beginning is ours.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from trellis.automata.cypher.query import TURNED, Direction, QueryGraph
from trellis.automata.cypher.ways import PatternEnd, PatternPlace, PatternWay, SchemaWays
from trellis.domain.reachable import ReachablePaths

Position = frozenset[int] | None
"""Where a node can stand among what an anchor reaches; None: farther away than was looked."""

_BACKWARDS: Mapping[Direction, tuple[bool, ...]] = {
    "out": (False,),
    "in": (True,),
    "any": (False, True),
}


@dataclass(frozen=True, slots=True)
class Grounding:
    """All that is reachable, in up to `hops`, from the nodes that have a linked value, by the
    value's index. Where a budget left something out, there is no grounding of that value."""

    value: int
    reachable: ReachablePaths
    hops: int


class GroundedWays:
    """The ways of a schema, of which those are left that all anchors of a pattern reach.

    A place is one of the schema's, and a position for each anchor.
    """

    def __init__(self, ways: SchemaWays, groundings: Sequence[Grounding]) -> None:
        self._schema = ways
        self._children: list[dict[tuple[str, bool], int]] = []
        self._labels: list[frozenset[str]] = []
        self._hops_left: list[int] = []  # hops that were looked for beyond
        self._ways_by_place: dict[PatternPlace, tuple[PatternWay, ...]] = {}
        self._roots = {each.value: self._grow_tree(each) for each in groundings}

    def find_starts(self) -> tuple[PatternEnd, ...]:
        return tuple(replace(end, place=(end.place, ())) for end in self._schema.find_starts())

    def find_ways(self, place: PatternPlace) -> tuple[PatternWay, ...]:
        found = self._ways_by_place.get(place)
        if found is None:
            found = self._ways_by_place[place] = tuple(self._restrict_ways(place))
        return found

    def release_place(self, place: PatternPlace) -> PatternPlace:
        assert isinstance(place, tuple)
        schema_place, positions = place
        return schema_place, (None,) * len(positions)

    def join_place(self, place: PatternPlace, other: PatternPlace) -> PatternPlace:
        """A part that nothing joins to the rest is as far from its anchors as can be."""
        assert isinstance(place, tuple)
        assert isinstance(other, tuple)
        return place[0], (None,) * len(other[1])

    def anchor_node(
        self, query: QueryGraph, ends: tuple[PatternEnd, ...], node: int, values: Sequence[int]
    ) -> tuple[PatternEnd, ...] | None:
        roots = [self._roots.get(value, -1) for value in values]
        if -1 in roots or not query.nodes[node].label:  # without a label other nodes match too
            return ends
        found: dict[int, Position] = {node: frozenset(roots)}
        for one, other, type, direction in _walk_edges(query, node):
            found[other] = self._next_position(found[one], type, direction, ends[other])
            if found[other] == frozenset():
                return None
        return tuple(_with_position(end, found.get(index)) for index, end in enumerate(ends))

    def _restrict_ways(self, place: PatternPlace) -> Iterator[PatternWay]:
        assert isinstance(place, tuple)
        schema_place, positions = place
        for way in self._schema.find_ways(schema_place):
            ends = tuple(self._reachable_ends(way, positions))
            if ends:
                yield replace(way, ends=ends)

    def _reachable_ends(
        self, way: PatternWay, positions: Sequence[Position]
    ) -> Iterator[PatternEnd]:
        for end in way.ends:
            after = tuple(self._next_position(at, way.type, way.direction, end) for at in positions)
            if frozenset() not in after:
                yield replace(end, place=(end.place, after))

    def _next_position(
        self, position: Position, type: str, direction: Direction, end: PatternEnd
    ) -> Position:
        """Where a relationship leads to from a position."""
        if position is None or any(not self._hops_left[each] for each in position):
            return None
        steps = [(type, backwards) for backwards in _BACKWARDS[direction]]
        after = [self._children[each].get(step) for each in position for step in steps]
        return frozenset(
            each for each in after if each is not None and self._can_stand_at(each, end)
        )

    def _can_stand_at(self, position: int, end: PatternEnd) -> bool:
        """Nodes without a label are at any position."""
        return "" in end.labels or not self._labels[position].isdisjoint(end.labels)

    def _grow_tree(self, grounding: Grounding) -> int:
        root = self._add_position((), grounding.hops)
        for path in grounding.reachable.paths:
            at = root
            for step in path.steps:
                key = (step.relation, step.reversed)
                after = self._children[at].get(key)
                if after is None:
                    left = self._hops_left[at] - 1
                    after = self._children[at][key] = self._add_position(path.labels, left)
                at = after
        return root

    def _add_position(self, labels: Sequence[str], left: int) -> int:
        self._children.append({})
        self._labels.append(frozenset(labels))
        self._hops_left.append(left)
        return len(self._children) - 1


def _walk_edges(query: QueryGraph, node: int) -> Iterator[tuple[int, int, str, Direction]]:
    """The relationships of a pattern from a node on, those of scopes aside: where each comes from,
    where it leads to."""
    pending = [node]
    left = [edge for edge in query.edges if edge.type and not edge.scope]
    while pending:
        at = pending.pop()
        for edge in [edge for edge in left if at in (edge.source, edge.target)]:
            left.remove(edge)
            other = edge.source + edge.target - at
            pending.append(other)
            forwards = edge.source == at
            yield at, other, edge.type, edge.direction if forwards else TURNED[edge.direction]


def _with_position(end: PatternEnd, position: Position) -> PatternEnd:
    assert isinstance(end.place, tuple)
    place, positions = end.place
    return replace(end, place=(place, (*positions, position)))
