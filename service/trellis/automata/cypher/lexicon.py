"""What a schema and some linked values give to say: properties of labels, filters, words."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from trellis.automata.cypher.query import Operator
from trellis.automata.cypher.wording import OPERATORS, Wording
from trellis.domain.schema import PropertyKind, Schema
from trellis.domain.value_links import StoredValue

NUMBERS = frozenset({"INTEGER", "FLOAT"})
_ORDERED = NUMBERS | {
    *("DATE", "LOCAL TIME", "ZONED TIME", "LOCAL DATETIME", "ZONED DATETIME"),
}


@dataclass(frozen=True, slots=True)
class NamedValue:
    """A linked value, and how it is said (`v0`). Values of one name are told apart by label and
    property; where these are the same too, a sentence means either."""

    name: str
    stored: StoredValue


def numbered(values: Sequence[StoredValue]) -> tuple[NamedValue, ...]:
    """Values with names of their own: v0, v1, …"""
    return tuple(NamedValue(f"v{index}", value) for index, value in enumerate(values))


@dataclass(frozen=True, slots=True)
class FilterKind:
    """A property that a node can be filtered by, how, and the values for it by what is said."""

    property: str
    operator: Operator
    values: tuple[tuple[str, tuple[int, ...]], ...]


class Lexicon:
    """Looks up what nodes of some labels have; everything once."""

    def __init__(
        self, schema: Schema, values: Sequence[NamedValue], taken: Collection[str]
    ) -> None:
        self.wording = Wording(schema, taken)
        self.values = tuple(values)
        ends = {end for r in schema.relationships for end in (r.start_label, r.end_label)}
        self.every = tuple(sorted(ends | {kind.label for kind in schema.labels}))
        self._kinds = {kind.label: kind.properties for kind in schema.labels}
        self._properties: dict[tuple[str, ...], tuple[PropertyKind, ...]] = {}
        self._filters: dict[tuple[str, ...], tuple[FilterKind, ...]] = {}

    def properties(self, labels: tuple[str, ...]) -> tuple[PropertyKind, ...]:
        """The properties that a node of one of some labels can have, by name."""
        found = self._properties.get(labels)
        if found is None:
            kinds = {kind.name: kind for label in labels for kind in self._kinds.get(label, ())}
            found = self._properties[labels] = tuple(kinds[name] for name in sorted(kinds))
        return found

    def filters(self, labels: tuple[str, ...]) -> tuple[FilterKind, ...]:
        """The filters that a node of one of some labels can have, in their order."""
        found = self._filters.get(labels)
        if found is None:
            found = self._filters[labels] = tuple(self._found(labels))
        return found

    def _found(self, labels: tuple[str, ...]) -> list[FilterKind]:
        linked: dict[str, dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
        for index, value in enumerate(self.values):
            if value.stored.label in labels:
                linked[value.stored.property][value.name].append(index)
        return [
            FilterKind(kind.name, operator, tuple((n, tuple(of)) for n, of in named.items()))
            for kind in self.properties(labels)
            if (named := linked.get(kind.name))
            for operator in _operators(kind)
        ]


def _operators(kind: PropertyKind) -> Sequence[Operator]:
    """How values of a property are compared: ordered ones in all ways, lists in none."""
    if kind.type in _ORDERED:
        return OPERATORS
    return () if kind.type.startswith("LIST") else OPERATORS[:2]
