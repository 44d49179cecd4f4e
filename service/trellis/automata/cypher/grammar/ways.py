"""The ways of a schema: where a pattern can begin, and how it can go on."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol

from trellis.automata.cypher.meaning.query import Direction, QueryEdge, QueryGraph
from trellis.domain.errors import CypherReadError
from trellis.domain.graphs.schema import Schema

PatternPlace = Hashable
"""All that decides how a pattern can go on from one of its nodes."""


@dataclass(frozen=True, slots=True)
class PatternEnd:
    """A node that a pattern can come to, with the `label` that is said (empty: any).

    `labels`: those that the node can have.
    """

    label: str
    labels: tuple[str, ...]
    place: PatternPlace


@dataclass(frozen=True, slots=True)
class PatternWay:
    """A relationship that a pattern can go on with, and the nodes that it leads to.

    `said_direction`: the direction that the sentence says, `any` also where there is only one.
    `direction`: the direction that is matched. `order`: its index among all ways of its place.
    """

    type: str
    said_direction: Direction
    direction: Direction
    ends: tuple[PatternEnd, ...]
    order: int = 0


class PatternContinuations(Protocol):
    """Finds how patterns go on. The ways of a place are sorted, and always the same."""

    def find_starts(self) -> tuple[PatternEnd, ...]: ...

    def find_ways(self, place: PatternPlace) -> tuple[PatternWay, ...]: ...

    def release_place(self, place: PatternPlace) -> PatternPlace:
        """The same place without the restriction to what anchors reach."""
        ...

    def join_place(self, place: PatternPlace, other: PatternPlace) -> PatternPlace:
        """The place of a node that begins a part of its own in the pattern of another node."""
        ...

    def anchor_node(
        self, query: QueryGraph, ends: tuple[PatternEnd, ...], node: int, values: Sequence[int]
    ) -> tuple[PatternEnd, ...] | None:
        """The ends of the nodes of a pattern once one of them has some linked values.

        None: no node that has these values can stand there.
        """
        ...


class SchemaWays:
    """All ways of a schema. A place is the labels that a node can have."""

    def __init__(self, schema: Schema) -> None:
        self._schema = schema
        self._ways_by_place: dict[PatternPlace, tuple[PatternWay, ...]] = {}

    def find_starts(self) -> tuple[PatternEnd, ...]:
        return _make_ends(self.labels)

    def find_ways(self, place: PatternPlace) -> tuple[PatternWay, ...]:
        found = self._ways_by_place.get(place)
        if found is None:
            listed = enumerate(self._iterate_ways(place))
            found = self._ways_by_place[place] = tuple(
                replace(way, order=order) for order, way in listed
            )
        return found

    def release_place(self, place: PatternPlace) -> PatternPlace:
        return place

    def join_place(self, place: PatternPlace, other: PatternPlace) -> PatternPlace:  # noqa: ARG002
        return place

    def anchor_node(
        self,
        query: QueryGraph,  # noqa: ARG002
        ends: tuple[PatternEnd, ...],
        node: int,  # noqa: ARG002
        values: Sequence[int],  # noqa: ARG002
    ) -> tuple[PatternEnd, ...]:
        return ends

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """All labels; only the empty one where the graph has nodes and no label is known."""
        kinds = self._schema.relationships
        ends = {end for kind in kinds for end in (kind.start_label, kind.end_label)}
        labels = sorted(ends | {kind.label for kind in self._schema.labels})
        return tuple(labels) or (("",) if self._schema.nodes else ())

    @cached_property
    def _outgoing(self) -> Mapping[str, list[tuple[str, str]]]:
        found: dict[str, list[tuple[str, str]]] = defaultdict(list)
        for kind in self._schema.relationships:
            found[kind.start_label].append((kind.type, kind.end_label))
        return found

    @cached_property
    def _incoming(self) -> Mapping[str, list[tuple[str, str]]]:
        found: dict[str, list[tuple[str, str]]] = defaultdict(list)
        for kind in self._schema.relationships:
            found[kind.end_label].append((kind.type, kind.start_label))
        return found

    def _iterate_ways(self, place: PatternPlace) -> Iterable[PatternWay]:
        assert isinstance(place, tuple)
        outgoing = _group_by_type(self._outgoing, place)
        incoming = _group_by_type(self._incoming, place)
        for name in sorted({*outgoing, *incoming}):
            out, into = outgoing.get(name, set()), incoming.get(name, set())
            yield from _make_ways_of_type(
                name, _make_ends(out), _make_ends(into), _make_ends(out | into), self._is_complete
            )

    @property
    def _is_complete(self) -> bool:
        """Whether the graph has no relationship that the schema does not show."""
        return not self._schema.estimated


def _group_by_type(
    kinds: Mapping[str, list[tuple[str, str]]], labels: Iterable[str]
) -> dict[str, set[str]]:
    found: dict[str, set[str]] = defaultdict(set)
    for label in labels:
        for name, end in kinds.get(label, ()):
            found[name].add(end)
    return found


def _make_ends(labels: Collection[str]) -> tuple[PatternEnd, ...]:
    """An end for each label; one for any label where there are several, or nodes without one."""
    every = tuple(sorted(labels))
    named = tuple(PatternEnd(label, (label,), (label,)) for label in every if label)
    return (
        named
        if len(every) == 1 and named
        else (*named, PatternEnd("", every, every))
        if every
        else ()
    )


def _make_ways_of_type(
    name: str,
    out: tuple[PatternEnd, ...],
    into: tuple[PatternEnd, ...],
    both: tuple[PatternEnd, ...],
    is_complete: bool,
) -> Iterable[PatternWay]:
    """The ways of one type; a direction can be said where the type runs in both."""
    if not out or not into:
        only: Direction = "out" if out else "in"
        yield PatternWay(name, "any", only if is_complete else "any", out or into)
        if not is_complete:
            yield PatternWay(name, only, only, out or into)
        return
    shared = {end.label for end in out} & {end.label for end in into}
    ends = tuple(end for end in both if end.label in shared or not end.label)
    if ends:
        yield PatternWay(name, "any", "any", ends)
    yield PatternWay(name, "out", "out", out)
    yield PatternWay(name, "in", "in", into)


def find_first_end(ends: Sequence[PatternEnd], label: str) -> PatternEnd:
    """The end of a node that no relationship leads to; CypherReadError where there is none."""
    for end in ends:
        if end.label == label or (not label and len(ends) == 1):
            return end
    raise CypherReadError(f"there is no node with the label {label!r}")


def find_fitting_way(
    ways: PatternContinuations, place: PatternPlace, edge: QueryEdge, label: str, same: int | None
) -> tuple[PatternWay, PatternEnd] | None:
    """The first way of a relationship to a node with a label, and where it leads; None: no way.

    It says a direction only where that makes a difference.
    """
    for way in ways.find_ways(place):
        if way.type == edge.type and edge.direction in ("any", way.direction):
            end = next((e for e in way.ends if e.label == label), None)
            if end is None and not label and len(way.ends) == 1:
                end = way.ends[0]
            if end is None and same is not None:
                end = way.ends[-1]
            if end is not None:
                return way, end
    return None
