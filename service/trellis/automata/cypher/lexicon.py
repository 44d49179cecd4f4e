"""What a schema and some linked values give to say: words, properties of labels, filters."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from trellis.automata.cypher.query import Operator
from trellis.automata.cypher.ways import SchemaWays
from trellis.automata.cypher.wording import OPERATORS, Wording
from trellis.domain.graph import Scalar
from trellis.domain.links import StoredValue
from trellis.domain.schema import PropertyKind, Schema

NUMBERS = frozenset({"INTEGER", "FLOAT"})
DATES = frozenset({"DATE", "LOCAL DATETIME", "ZONED DATETIME"})
ORDERED = NUMBERS | DATES | {"LOCAL TIME", "ZONED TIME"}

MIXED = "ANY"
"""The type of a property that has several."""

_TEXT_OPERATORS: tuple[Operator, ...] = ("CONTAINS", "STARTS WITH", "ENDS WITH")
_PRESENCE: tuple[Operator, ...] = ("IS NULL", "IS NOT NULL")


@dataclass(frozen=True, slots=True)
class NamedValue:
    """A linked value, and how it is said (`v0`). Values of one name are told apart by label and
    property; where these are the same too, a sentence means either.

    A value of no label and no property is a literal of the question: it is compared with whatever
    has its type."""

    name: str
    stored: StoredValue

    @property
    def is_literal(self) -> bool:
        return self.stored.is_literal()


def number_values(values: Sequence[StoredValue]) -> tuple[NamedValue, ...]:
    """Values with names of their own: v0, v1, …"""
    return tuple(NamedValue(f"v{index}", value) for index, value in enumerate(values))


ValueChoices = tuple[tuple[str, tuple[int, ...]], ...]
"""What can be said for a value, and the linked values that it may mean."""


@dataclass(frozen=True, slots=True)
class FilterKind:
    """A property that can be compared, how, and the values for it by what is said; none where
    nothing is compared, or another property is (`has_reference`)."""

    property: str
    operator: Operator
    values: ValueChoices = ()
    part: str = ""
    is_negated: bool = False
    has_reference: bool = False

    def needs_value(self) -> bool:
        """Whether a value is said for it."""
        return not self.has_reference and self.operator not in _PRESENCE

    def has_alternatives(self) -> bool:
        """Whether several values can be said for it, of which one holds."""
        return self.operator in ("=", "<>", "HAS", *_TEXT_OPERATORS)


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

    def relationship_properties(self, type: str) -> tuple[PropertyKind, ...]:
        """The properties that a relationship of a type can have, by name."""
        kinds = self.schema.relationship_properties.get(type, ())
        return tuple(sorted(kinds, key=lambda kind: kind.name))

    def _merge_properties(self, labels: tuple[str, ...]) -> Iterator[PropertyKind]:
        """One kind for each name; of no known type where labels differ in it."""
        kinds: dict[str, PropertyKind] = {}
        for kind in (kind for label in labels for kind in self._kinds.get(label, ())):
            same = kinds.setdefault(kind.name, kind).type == kind.type
            kinds[kind.name] = kind if same else PropertyKind(kind.name, MIXED)
        return (kinds[name] for name in sorted(kinds))


class Lexicon:
    """What can be said of nodes and relationships, and how: a schema and the values that are
    linked in it. `is_wide`: with all operators."""

    def __init__(
        self, known: IndexedSchema, values: Sequence[NamedValue], is_wide: bool = True
    ) -> None:
        self.wording = known.wording
        self.properties = known.properties
        self.relationship_properties = known.relationship_properties
        self.values = tuple(values)
        self.is_wide = is_wide
        self._filters: dict[tuple[str, ...], tuple[FilterKind, ...]] = {}
        self._edge_filters: dict[str, tuple[FilterKind, ...]] = {}

    def filters(self, labels: tuple[str, ...]) -> tuple[FilterKind, ...]:
        """The filters that a node of one of some labels can have, in their order."""
        found = self._filters.get(labels)
        if found is None:
            found = self._filters[labels] = tuple(self._find_filters(labels))
        return found

    def edge_filters(self, type: str) -> tuple[FilterKind, ...]:
        """The filters that a relationship of a type can have, in their order."""
        found = self._edge_filters.get(type)
        if found is None:
            kinds = self.relationship_properties(type) if self.is_wide else ()
            found = self._edge_filters[type] = tuple(
                each
                for kind in kinds
                for each in self._find_property_filters(kind, {}, of_edge=True)
                if not each.has_reference
            )
        return found

    @cached_property
    def number_choices(self) -> ValueChoices:
        """The literals that a number of matches or an aggregate can be compared with."""
        return self._find_literals(NUMBERS)

    def _find_filters(self, labels: tuple[str, ...]) -> Iterator[FilterKind]:
        linked: dict[str, dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
        for index, value in enumerate(self.values):
            stored = value.stored
            if stored.label in labels and not value.is_literal and not is_list(stored.type):
                linked[stored.property][value.name].append(index)
        for kind in self.properties(labels):
            yield from self._find_property_filters(kind, linked.get(kind.name, {}))
        if self.is_wide:
            yield FilterKind("", "<>", has_reference=True)

    def _find_property_filters(
        self, kind: PropertyKind, linked: Mapping[str, Sequence[int]], of_edge: bool = False
    ) -> Iterator[FilterKind]:
        """The filters of one property; `linked`: its linked values by what is said. Values of
        relationships are not linked: all literals of their type stand for them."""
        own = tuple((name, tuple(of)) for name, of in linked.items())
        if self.is_wide and (kind.type in ORDERED or of_edge):
            own = _join_choices(own, self._find_literals(_compatible_types(kind.type)))
        operators = self._list_comparisons(kind)
        yield from (FilterKind(kind.name, operator, own) for operator in operators if own)
        if self.is_wide:
            yield from self._find_wide_filters(kind, own)

    def _find_wide_filters(self, kind: PropertyKind, own: ValueChoices) -> Iterator[FilterKind]:
        if kind.type == "STRING":
            yield from self._find_text_filters(kind.name)
        if kind.type in DATES:
            for part in ("year", "month", "day"):
                yield from self._find_number_filters(kind.name, part)
        if is_list(kind.type):
            items = _join_choices(own, self._find_literals(_compatible_types(kind.type[5:-1])))
            for is_negated in (False, True) if items else ():
                yield FilterKind(kind.name, "HAS", items, is_negated=is_negated)
            yield from self._find_number_filters(kind.name, "size")
        if has_numeric_texts(kind):
            for part in ("integer", "decimal"):
                yield from self._find_number_filters(kind.name, part)
        yield from (FilterKind(kind.name, operator) for operator in _PRESENCE)
        for operator in self._list_comparisons(kind):
            yield FilterKind(kind.name, operator, has_reference=True)

    def _list_comparisons(self, kind: PropertyKind) -> Sequence[Operator]:
        """How values of a property are compared: ordered ones in all ways, lists in none."""
        if kind.type in ORDERED or (self.is_wide and kind.type == "STRING"):
            return OPERATORS
        return () if is_list(kind.type) else OPERATORS[:2]

    def _find_text_filters(self, name: str) -> Iterator[FilterKind]:
        """How a text property is compared with the question's literal texts."""
        texts = self._find_literals(("STRING",))
        if not texts:
            return
        for part in ("", "lower"):
            for operator in _TEXT_OPERATORS:
                yield FilterKind(name, operator, texts, part)
                yield FilterKind(name, operator, texts, part, is_negated=True)
        yield FilterKind(name, "=", texts, "lower")

    def _find_number_filters(self, name: str, part: str) -> Iterator[FilterKind]:
        """How a number that a value has as its part is compared."""
        numbers = self._find_literals(NUMBERS)
        yield from (FilterKind(name, operator, numbers, part) for operator in OPERATORS if numbers)

    def _find_literals(self, types: Collection[str]) -> ValueChoices:
        """The literals of some types, by what is said."""
        named: dict[str, list[int]] = defaultdict(list)
        for index, value in enumerate(self.values):
            if value.is_literal and value.stored.type in types:
                named[value.name].append(index)
        return tuple((name, tuple(of)) for name, of in named.items())


def _join_choices(first: ValueChoices, second: ValueChoices) -> ValueChoices:
    """Choices of both, those of one name joined."""
    joined: dict[str, tuple[int, ...]] = dict(first)
    for name, values in second:
        joined[name] = (*joined.get(name, ()), *values)
    return tuple(joined.items())


def _compatible_types(type_name: str) -> Collection[str]:
    """The types of literals that values of a type are compared with."""
    return NUMBERS if type_name in NUMBERS else (type_name,)


def has_numeric_texts(kind: PropertyKind) -> bool:
    """Whether a property's values are numbers that are stored as texts."""
    shown = (*kind.examples, *kind.values)
    return kind.type == "STRING" and bool(shown) and all(map(_is_number, shown))


def _is_number(value: Scalar) -> bool:
    try:
        float(str(value))
    except ValueError:
        return False
    return True


def is_list(type_name: str) -> bool:
    """Whether values of a type are lists."""
    return type_name.startswith("LIST")
