"""Grounding: what the nodes of linked values reach restricts the patterns that have them.

A pattern may begin anywhere. Once a node of it is one of a value's, every way from there has to
exist in the graph: those said already, else the value cannot be said there; and all that follow.
Source: GraphRAFT, section on grounded constrained decoding; any beginning is ours.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from trellis.automata.cypher.query import TURNED, Direction, QueryGraph
from trellis.automata.cypher.ways import End, Place, SchemaWays, Way
from trellis.domain.reachable import Reachable

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
    reachable: Reachable
    hops: int


class GroundedWays:
    """The ways of a schema, of which those are left that all anchors of a pattern reach.

    A place is one of the schema's, and a position for each anchor.
    """

    def __init__(self, ways: SchemaWays, groundings: Sequence[Grounding]) -> None:
        self._schema = ways
        self._children: list[dict[tuple[str, bool], int]] = []
        self._labels: list[frozenset[str]] = []
        self._left: list[int] = []  # hops that were looked for beyond
        self._known: dict[Place, tuple[Way, ...]] = {}
        self._roots = {each.value: self._grown(each) for each in groundings}

    def starts(self) -> tuple[End, ...]:
        return tuple(replace(end, place=(end.place, ())) for end in self._schema.starts())

    def ways(self, place: Place) -> tuple[Way, ...]:
        found = self._known.get(place)
        if found is None:
            found = self._known[place] = tuple(self._ways(place))
        return found

    def anchored(
        self, query: QueryGraph, ends: tuple[End, ...], node: int, values: Sequence[int]
    ) -> tuple[End, ...] | None:
        roots = [self._roots.get(value, -1) for value in values]
        if -1 in roots or not query.nodes[node].label:  # without a label other nodes match too
            return ends
        found: dict[int, Position] = {node: frozenset(roots)}
        for one, other, type, direction in _walked(query, node):
            found[other] = self._next(found[one], type, direction, ends[other])
            if found[other] == frozenset():
                return None
        return tuple(_also(end, found[index]) for index, end in enumerate(ends))

    def _ways(self, place: Place) -> Iterator[Way]:
        assert isinstance(place, tuple)
        schema_place, positions = place
        for way in self._schema.ways(schema_place):
            ends = tuple(self._left_of(way, positions))
            if ends:
                yield replace(way, ends=ends)

    def _left_of(self, way: Way, positions: Sequence[Position]) -> Iterator[End]:
        for end in way.ends:
            after = tuple(self._next(at, way.type, way.direction, end) for at in positions)
            if frozenset() not in after:
                yield replace(end, place=(end.place, after))

    def _next(self, at: Position, type: str, direction: Direction, end: End) -> Position:
        """Where a relationship leads to from a position."""
        if at is None or any(not self._left[each] for each in at):
            return None
        steps = [(type, backwards) for backwards in _BACKWARDS[direction]]
        after = [self._children[each].get(step) for each in at for step in steps]
        return frozenset(each for each in after if each is not None and self._may_be(each, end))

    def _may_be(self, position: int, end: End) -> bool:
        """Nodes without a label are at any position."""
        return "" in end.labels or not self._labels[position].isdisjoint(end.labels)

    def _grown(self, grounding: Grounding) -> int:
        root = self._added((), grounding.hops)
        for path in grounding.reachable.paths:
            at = root
            for step in path.steps:
                key = (step.relation, step.reversed)
                after = self._children[at].get(key)
                if after is None:
                    left = self._left[at] - 1
                    after = self._children[at][key] = self._added(path.labels, left)
                at = after
        return root

    def _added(self, labels: Sequence[str], left: int) -> int:
        self._children.append({})
        self._labels.append(frozenset(labels))
        self._left.append(left)
        return len(self._children) - 1


def _walked(query: QueryGraph, node: int) -> Iterator[tuple[int, int, str, Direction]]:
    """The relationships of a pattern from a node on: where each comes from, where it leads to."""
    pending, left = [node], list(query.edges)
    while pending:
        at = pending.pop()
        for edge in [edge for edge in left if at in (edge.source, edge.target)]:
            left.remove(edge)
            other = edge.source + edge.target - at
            pending.append(other)
            forwards = edge.source == at
            yield at, other, edge.type, edge.direction if forwards else TURNED[edge.direction]


def _also(end: End, position: Position) -> End:
    assert isinstance(end.place, tuple)
    place, positions = end.place
    return replace(end, place=(place, (*positions, position)))
