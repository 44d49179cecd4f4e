"""Where a pattern can begin and how it can go on, by the schema."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol

from trellis.automata.cypher.query import Direction, QueryGraph
from trellis.domain.schema import Schema

Place = Hashable
"""Where a pattern stands: all that decides how it can go on."""


@dataclass(frozen=True, slots=True)
class End:
    """A node that a pattern can come to: the label that is said (empty: any), those it can have."""

    label: str
    labels: tuple[str, ...]
    place: Place


@dataclass(frozen=True, slots=True)
class Way:
    """A relationship that a pattern can go on with, and the nodes that it leads to.

    `said`: the direction that is said, `any` also where there is but one; `direction`: as matched.
    `order`: where it stands among all that the schema has there.
    """

    type: str
    said: Direction
    direction: Direction
    ends: tuple[End, ...]
    order: int = 0


class Ways(Protocol):
    """How patterns go on; ways are sorted, and the same for the same place."""

    def starts(self) -> tuple[End, ...]: ...

    def ways(self, place: Place) -> tuple[Way, ...]: ...

    def anchored(
        self, query: QueryGraph, ends: tuple[End, ...], node: int, values: Sequence[int]
    ) -> tuple[End, ...] | None:
        """Where the nodes of a pattern stand once one of them has some linked values; None where
        no node that has these can be there."""
        ...


class SchemaWays:
    """All that the schema has. A place is the labels that a node can have."""

    def __init__(self, schema: Schema) -> None:
        self._schema = schema
        self._known: dict[Place, tuple[Way, ...]] = {}

    def starts(self) -> tuple[End, ...]:
        return _ends(self.labels)

    def ways(self, place: Place) -> tuple[Way, ...]:
        found = self._known.get(place)
        if found is None:
            listed = enumerate(self._ways(place))
            found = self._known[place] = tuple(replace(way, order=order) for order, way in listed)
        return found

    def anchored(
        self,
        query: QueryGraph,  # noqa: ARG002
        ends: tuple[End, ...],
        node: int,  # noqa: ARG002
        values: Sequence[int],  # noqa: ARG002
    ) -> tuple[End, ...]:
        return ends

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """All labels; the empty one where there are nodes without any, or none is known."""
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

    def _ways(self, place: Place) -> Iterable[Way]:
        assert isinstance(place, tuple)
        outgoing = _by_type(self._outgoing, place)
        incoming = _by_type(self._incoming, place)
        for name in sorted({*outgoing, *incoming}):
            out, into = outgoing.get(name, set()), incoming.get(name, set())
            yield from _of_type(name, _ends(out), _ends(into), _ends(out | into), self._sure)

    @property
    def _sure(self) -> bool:
        """Whether a direction that the schema does not show is not there."""
        return not self._schema.estimated


def _by_type(
    kinds: Mapping[str, list[tuple[str, str]]], labels: Iterable[str]
) -> dict[str, set[str]]:
    found: dict[str, set[str]] = defaultdict(set)
    for label in labels:
        for name, end in kinds.get(label, ()):
            found[name].add(end)
    return found


def _ends(labels: Collection[str]) -> tuple[End, ...]:
    """An end for each label, and one for any where there are several, or nodes without one."""
    every = tuple(sorted(labels))
    named = tuple(End(label, (label,), (label,)) for label in every if label)
    return named if len(every) == 1 and named else (*named, End("", every, every)) if every else ()


def _of_type(
    name: str, out: tuple[End, ...], into: tuple[End, ...], both: tuple[End, ...], sure: bool
) -> Iterable[Way]:
    """The ways of one type. Where it runs both ways, a direction can be said."""
    if not out or not into:
        only: Direction = "out" if out else "in"
        yield Way(name, "any", only if sure else "any", out or into)
        if not sure:
            yield Way(name, only, only, out or into)
        return
    shared = {end.label for end in out} & {end.label for end in into}
    ends = tuple(end for end in both if end.label in shared or not end.label)
    if ends:
        yield Way(name, "any", "any", ends)
    yield Way(name, "out", "out", out)
    yield Way(name, "in", "in", into)
