"""The properties, filters and values that a schema and some linked values give a sentence."""

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
    """A linked value and its name in a sentence (`v0`).

    Several values can have one name. Their labels and properties tell them apart; where these are
    equal too, the sentence means either. A value without label and property is a literal of the
    question, and can be compared with every property of its type.
    """

    name: str
    stored: StoredValue

    @property
    def is_literal(self) -> bool:
        return self.stored.is_literal()


def number_values(values: Sequence[StoredValue]) -> tuple[NamedValue, ...]:
    """Give each value a name of its own: v0, v1, …"""
    return tuple(NamedValue(f"v{index}", value) for index, value in enumerate(values))


ValueChoices = tuple[tuple[str, tuple[int, ...]], ...]
"""Names of values, each with the linked values that it may mean."""


@dataclass(frozen=True, slots=True)
class FilterKind:
    """A comparison that nodes or relationships can have: a property, an operator, and its values.

    There are no `values` where the operator needs none, or where the property is compared with
    another one (`has_reference`). `part`: the part of the property's value that is compared.
    """

    property: str
    operator: Operator
    values: ValueChoices = ()
    part: str = ""
    is_negated: bool = False
    has_reference: bool = False

    def needs_value(self) -> bool:
        """Whether a value follows it."""
        return not self.has_reference and self.operator not in _PRESENCE

    def has_alternatives(self) -> bool:
        """Whether several values can follow it, of which one must hold."""
        return self.operator in ("=", "<>", "HAS", *_TEXT_OPERATORS)


class IndexedSchema:
    """All that follows from a schema alone: words, ways, properties.

    It is made once and serves many languages, but not several threads at once.
    """

    def __init__(self, schema: Schema) -> None:
        self.schema = schema
        self.wording = Wording(schema)
        self.ways = SchemaWays(schema)
        self._kinds = {kind.label: kind.properties for kind in schema.labels}
        self._properties: dict[tuple[str, ...], tuple[PropertyKind, ...]] = {}

    def list_properties(self, labels: tuple[str, ...]) -> tuple[PropertyKind, ...]:
        """The properties that a node of one of some labels can have, by name."""
        found = self._properties.get(labels)
        if found is None:
            found = self._properties[labels] = tuple(self._merge_properties(labels))
        return found

    def list_relationship_properties(self, type: str) -> tuple[PropertyKind, ...]:
        """The properties that a relationship of a type can have, by name."""
        kinds = self.schema.relationship_properties.get(type, ())
        return tuple(sorted(kinds, key=lambda kind: kind.name))

    def _merge_properties(self, labels: tuple[str, ...]) -> Iterator[PropertyKind]:
        """One property for each name; its type is `MIXED` where labels differ in it."""
        kinds: dict[str, PropertyKind] = {}
        for kind in (kind for label in labels for kind in self._kinds.get(label, ())):
            same = kinds.setdefault(kind.name, kind).type == kind.type
            kinds[kind.name] = kind if same else PropertyKind(kind.name, MIXED)
        return (kinds[name] for name in sorted(kinds))


class Lexicon:
    """The properties and filters that a sentence can use, for a schema and its linked values.

    `is_wide`: it has all operators, not only comparisons with values.
    """

    def __init__(self, known: IndexedSchema, values: Sequence[NamedValue], is_wide: bool) -> None:
        self.wording = known.wording
        self.list_properties = known.list_properties
        self.list_relationship_properties = known.list_relationship_properties
        self.values = tuple(values)
        self.is_wide = is_wide
        self._filters: dict[tuple[str, ...], tuple[FilterKind, ...]] = {}
        self._edge_filters: dict[str, tuple[FilterKind, ...]] = {}

    def list_filters(self, labels: tuple[str, ...]) -> tuple[FilterKind, ...]:
        """The filters that a node of one of some labels can have, in their order."""
        found = self._filters.get(labels)
        if found is None:
            found = self._filters[labels] = tuple(self._find_filters(labels))
        return found

    def list_edge_filters(self, type: str) -> tuple[FilterKind, ...]:
        """The filters that a relationship of a type can have, in their order."""
        found = self._edge_filters.get(type)
        if found is None:
            kinds = self.list_relationship_properties(type) if self.is_wide else ()
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
        for kind in self.list_properties(labels):
            yield from self._find_property_filters(kind, linked.get(kind.name, {}))
        if self.is_wide:
            yield FilterKind("", "<>", has_reference=True)

    def _find_property_filters(
        self, kind: PropertyKind, linked: Mapping[str, Sequence[int]], of_edge: bool = False
    ) -> Iterator[FilterKind]:
        """The filters of one property; `linked` holds its linked values by their names.

        Values of relationships are never linked, so literals of their type take their place.
        """
        own = tuple((name, tuple(of)) for name, of in linked.items())
        if self.is_wide and (kind.type in ORDERED or of_edge):
            own = _join_choices(own, self._find_literals(_list_compatible_types(kind.type)))
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
            items = _join_choices(own, self._find_literals(_list_compatible_types(kind.type[5:-1])))
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
        """The comparisons of a property: all where its values have an order, none for lists."""
        if kind.type in ORDERED or (self.is_wide and kind.type == "STRING"):
            return OPERATORS
        return () if is_list(kind.type) else OPERATORS[:2]

    def _find_text_filters(self, name: str) -> Iterator[FilterKind]:
        """The comparisons of a text property with the literal texts of the question."""
        texts = self._find_literals(("STRING",))
        if not texts:
            return
        for part in ("", "lower"):
            for operator in _TEXT_OPERATORS:
                yield FilterKind(name, operator, texts, part)
                yield FilterKind(name, operator, texts, part, is_negated=True)
        yield FilterKind(name, "=", texts, "lower")

    def _find_number_filters(self, name: str, part: str) -> Iterator[FilterKind]:
        """The comparisons of a part of a value that is a number."""
        numbers = self._find_literals(NUMBERS)
        yield from (FilterKind(name, operator, numbers, part) for operator in OPERATORS if numbers)

    def _find_literals(self, types: Collection[str]) -> ValueChoices:
        """The literals of some types, by their names."""
        named: dict[str, list[int]] = defaultdict(list)
        for index, value in enumerate(self.values):
            if value.is_literal and value.stored.type in types:
                named[value.name].append(index)
        return tuple((name, tuple(of)) for name, of in named.items())


def _join_choices(first: ValueChoices, second: ValueChoices) -> ValueChoices:
    """The choices of both; those of one name are joined."""
    joined: dict[str, tuple[int, ...]] = dict(first)
    for name, values in second:
        joined[name] = (*joined.get(name, ()), *values)
    return tuple(joined.items())


def _list_compatible_types(type_name: str) -> Collection[str]:
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
