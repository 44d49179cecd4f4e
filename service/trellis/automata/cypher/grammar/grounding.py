"""Restricts patterns to what exists in the graph around the nodes of linked values.

A pattern may begin anywhere. A linked value in it anchors its node: from there on every way must
exist in the graph. A value whose earlier ways do not exist cannot be said at that node.
Source: GraphRAFT, section on grounded constrained decoding; that a pattern may begin anywhere is
ours.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from trellis.automata.cypher.grammar.ways import PatternEnd, PatternPlace, PatternWay, SchemaWays
from trellis.automata.cypher.meaning.query import TURNED, Direction, QueryGraph
from trellis.domain.graphs.reachable import ReachablePaths

Position = frozenset[int] | None
"""The positions that a node can have among what an anchor reaches.

None: the node is farther away than the graph was searched.
"""

_BACKWARDS: Mapping[Direction, tuple[bool, ...]] = {
    "out": (False,),
    "in": (True,),
    "any": (False, True),
}


@dataclass(frozen=True, slots=True)
class Grounding:
    """All paths of up to `hops` from the nodes that have a linked value, given by its index.

    There is no grounding of a value for which a budget left paths out.
    """

    value: int
    reachable: ReachablePaths
    hops: int


class GroundedWays:
    """The ways of a schema that all anchors of a pattern can reach.

    A place is a place of the schema, with a position for each anchor.
    """

    def __init__(self, ways: SchemaWays, groundings: Sequence[Grounding]) -> None:
        self._schema = ways
        self._children: list[dict[tuple[str, bool], int]] = []
        self._labels: list[frozenset[str]] = []
        self._hops_left: list[int] = []  # how many hops behind each position were searched
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
        """The place of a separate part, which is out of reach of the anchors."""
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
            found[other] = self._find_next_position(found[one], type, direction, ends[other])
            if found[other] == frozenset():
                return None
        return tuple(_place_end(end, found.get(index)) for index, end in enumerate(ends))

    def _restrict_ways(self, place: PatternPlace) -> Iterator[PatternWay]:
        assert isinstance(place, tuple)
        schema_place, positions = place
        for way in self._schema.find_ways(schema_place):
            ends = tuple(self._find_reachable_ends(way, positions))
            if ends:
                yield replace(way, ends=ends)

    def _find_reachable_ends(
        self, way: PatternWay, positions: Sequence[Position]
    ) -> Iterator[PatternEnd]:
        for end in way.ends:
            after = tuple(
                self._find_next_position(at, way.type, way.direction, end) for at in positions
            )
            if frozenset() not in after:
                yield replace(end, place=(end.place, after))

    def _find_next_position(
        self, position: Position, type: str, direction: Direction, end: PatternEnd
    ) -> Position:
        """The position that a relationship leads to."""
        if position is None or any(not self._hops_left[each] for each in position):
            return None
        steps = [(type, backwards) for backwards in _BACKWARDS[direction]]
        after = [self._children[each].get(step) for each in position for step in steps]
        return frozenset(
            each for each in after if each is not None and self._can_stand_at(each, end)
        )

    def _can_stand_at(self, position: int, end: PatternEnd) -> bool:
        """Whether a node can have a position; a node without a label can have any."""
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
    """The relationships of a pattern outside of scopes, walked from a node on.

    Each is given by the node that it comes from, the one that it leads to, its type and direction.
    """
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


def _place_end(end: PatternEnd, position: Position) -> PatternEnd:
    assert isinstance(end.place, tuple)
    place, positions = end.place
    return replace(end, place=(place, (*positions, position)))
