"""What a schema and some linked values give to say: words, properties of labels, filters."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from trellis.automata.cypher.query import Operator
from trellis.automata.cypher.ways import SchemaWays
from trellis.automata.cypher.wording import OPERATORS, Wording
from trellis.domain.links import StoredValue
from trellis.domain.schema import PropertyKind, Schema

NUMBERS = frozenset({"INTEGER", "FLOAT"})
ORDERED = NUMBERS | {
    *("DATE", "LOCAL TIME", "ZONED TIME", "LOCAL DATETIME", "ZONED DATETIME"),
}

MIXED = "ANY"
"""The type of a property that has several."""


@dataclass(frozen=True, slots=True)
class NamedValue:
    """A linked value, and how it is said (`v0`). Values of one name are told apart by label and
    property; where these are the same too, a sentence means either."""

    name: str
    stored: StoredValue


def number_values(values: Sequence[StoredValue]) -> tuple[NamedValue, ...]:
    """Values with names of their own: v0, v1, …"""
    return tuple(NamedValue(f"v{index}", value) for index, value in enumerate(values))


@dataclass(frozen=True, slots=True)
class FilterKind:
    """A property that a node can be filtered by, how, and the values for it by what is said."""

    property: str
    operator: Operator
    values: tuple[tuple[str, tuple[int, ...]], ...]


class IndexedSchema:
    """All that follows from a schema alone: words, ways, properties. Made once, it serves many
    languages; not for several threads at once."""

    def __init__(self, schema: Schema) -> None:
        self.schema = schema
        self.wording = Wording(schema)
        self.ways = SchemaWays(schema)
        self._kinds = {kind.label: kind.properties for kind in schema.labels}
        self._properties: dict[tuple[str, ...], tuple[PropertyKind, ...]] = {}

    def properties(self, labels: tuple[str, ...]) -> tuple[PropertyKind, ...]:
        """The properties that a node of one of some labels can have, by name."""
        found = self._properties.get(labels)
        if found is None:
            found = self._properties[labels] = tuple(self._merge_properties(labels))
        return found

    def _merge_properties(self, labels: tuple[str, ...]) -> Iterator[PropertyKind]:
        """One kind for each name; of no known type where labels differ in it."""
        kinds: dict[str, PropertyKind] = {}
        for kind in (kind for label in labels for kind in self._kinds.get(label, ())):
            same = kinds.setdefault(kind.name, kind).type == kind.type
            kinds[kind.name] = kind if same else PropertyKind(kind.name, MIXED)
        return (kinds[name] for name in sorted(kinds))


class Lexicon:
    """What can be said of nodes, and how: a schema and the values that are linked in it."""

    def __init__(self, known: IndexedSchema, values: Sequence[NamedValue]) -> None:
        self.wording = known.wording
        self.properties = known.properties
        self.values = tuple(values)
        self._filters: dict[tuple[str, ...], tuple[FilterKind, ...]] = {}

    def filters(self, labels: tuple[str, ...]) -> tuple[FilterKind, ...]:
        """The filters that a node of one of some labels can have, in their order."""
        found = self._filters.get(labels)
        if found is None:
            found = self._filters[labels] = tuple(self._find_filters(labels))
        return found

    def _find_filters(self, labels: tuple[str, ...]) -> list[FilterKind]:
        linked: dict[str, dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
        for index, value in enumerate(self.values):
            if value.stored.label in labels and not _is_list(value.stored.type):
                linked[value.stored.property][value.name].append(index)
        return [
            FilterKind(kind.name, operator, tuple((n, tuple(of)) for n, of in named.items()))
            for kind in self.properties(labels)
            if (named := linked.get(kind.name))
            for operator in _comparable_operators(kind)
        ]


def _comparable_operators(kind: PropertyKind) -> Sequence[Operator]:
    """How values of a property are compared: ordered ones in all ways, lists in none."""
    if kind.type in ORDERED:
        return OPERATORS
    return () if _is_list(kind.type) else OPERATORS[:2]


def _is_list(type_name: str) -> bool:
    """Whether values of a type are lists, which no linked value is compared with."""
    return type_name.startswith("LIST")
