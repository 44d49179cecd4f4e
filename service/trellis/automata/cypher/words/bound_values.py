"""The filters and values that a schema and some linked values give a sentence."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from trellis.automata.cypher.words.filter_kinds import (
    IS_OTHER_NODE,
    TEXT_OPERATORS,
    FilterKind,
    ValueChoices,
    find_plain_filters,
    list_comparisons,
)
from trellis.automata.cypher.words.indexed_schema import IndexedSchema
from trellis.automata.cypher.words.offered_filters import FilterOffers
from trellis.automata.cypher.words.property_types import (
    DATES,
    NUMBERS,
    NUMBERS_AND_YEARS,
    ORDERED,
    has_numeric_texts,
    is_list,
    list_compatible_types,
    list_literal_types,
)
from trellis.automata.cypher.words.references import Labels
from trellis.automata.cypher.words.wording import OPERATORS
from trellis.domain.graphs.links import StoredValue
from trellis.domain.graphs.schema import PropertyKind

_NO_YEARS = ("month", "day", "size")
"""Parts of values that are numbers, and never say a year."""


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


class Lexicon:
    """The properties and filters that a sentence can use, for a schema and its linked values.

    `is_wide`: it has all operators, not only comparisons with values.
    """

    def __init__(self, known: IndexedSchema, values: Sequence[NamedValue], is_wide: bool) -> None:
        self.wording = known.wording
        self.comparable = known.comparable
        self.list_properties = known.list_properties
        self.list_relationship_properties = known.list_relationship_properties
        self.values = tuple(values)
        self.is_wide = is_wide
        self._known = known
        self._filters: dict[Labels, tuple[FilterKind, ...]] = {}
        self._edge_filters: dict[str, tuple[FilterKind, ...]] = {}
        self._literals_by_types: dict[Collection[str], ValueChoices] = {}
        self._offers = FilterOffers(self.wording, self.comparable, self.list_filters)

    def list_filters(self, labels: Labels) -> tuple[FilterKind, ...]:
        """The filters that a node of one of some labels can have, in their order."""
        found = self._filters.get(labels)
        if found is None:
            found = (
                tuple(self._find_filters(labels))
                if self._has_values(labels)
                else self._known.list_plain_filters(labels)
            )
            self._filters[labels] = found
        return found

    def get_offers(self, labels: Labels) -> FilterOffers:
        """The filters that a node of one of some labels offers: where none has a value, those that
        all languages over the schema share."""
        return self._offers if self._has_values(labels) else self._known.offers

    def list_edge_filters(self, type: str) -> tuple[FilterKind, ...]:
        """The filters that a relationship of a type can have, in their order."""
        found = self._edge_filters.get(type)
        if found is None:
            kinds = self.list_relationship_properties(type) if self.is_wide else ()
            linked = self._find_linked((type,)) if kinds else {}
            found = self._edge_filters[type] = tuple(
                each
                for kind in kinds
                for each in self._find_property_filters(
                    kind, linked.get(kind.name, {}), of_edge=True
                )
                if not each.has_reference
            )
        return found

    @cached_property
    def number_choices(self) -> ValueChoices:
        """The literals that a number of matches or an aggregate can be compared with."""
        return self._find_literals(NUMBERS)

    @cached_property
    def _literals(self) -> tuple[tuple[int, NamedValue], ...]:
        """The literals with their indices among all values."""
        return tuple((at, value) for at, value in enumerate(self.values) if value.is_literal)

    @cached_property
    def _linked(self) -> Mapping[str, Sequence[int]]:
        """The indices of the values of each label or relationship type, but for lists."""
        linked: dict[str, list[int]] = defaultdict(list)
        for index, value in enumerate(self.values):
            if not (value.is_literal or is_list(value.stored.type)):
                linked[value.stored.label].append(index)
        return linked

    def _has_values(self, labels: Labels) -> bool:
        """Whether the filters of a node of some labels differ from those of the schema alone."""
        if self._literals or not self.is_wide:
            return True
        return any(label in self._linked for label in labels)

    def _find_filters(self, labels: Labels) -> Iterator[FilterKind]:
        linked = self._find_linked(labels)
        for kind in self.list_properties(labels):
            yield from self._find_property_filters(kind, linked.get(kind.name, {}))
        if self.is_wide:
            yield IS_OTHER_NODE

    def _find_linked(self, owners: Labels) -> Mapping[str, Mapping[str, Sequence[int]]]:
        """The linked values of some labels or types by property, and of each by name."""
        linked: dict[str, dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
        for index in sorted({at for owner in owners for at in self._linked.get(owner, ())}):
            value = self.values[index]
            linked[value.stored.property][value.name].append(index)
        return linked

    def _find_property_filters(
        self, kind: PropertyKind, linked: Mapping[str, Sequence[int]], of_edge: bool = False
    ) -> Iterator[FilterKind]:
        """The filters of one property; `linked` holds its linked values by their names.

        Relationships are compared with literals of their properties' types too, as only values of
        properties with few are linked.
        """
        own = tuple((name, tuple(of)) for name, of in linked.items())
        if self.is_wide and (kind.type in ORDERED or of_edge):
            own = _join_choices(own, self._find_literals(list_literal_types(kind)))
        operators = list_comparisons(kind, self.is_wide)
        yield from (FilterKind(kind.name, operator, own) for operator in operators if own)
        if self.is_wide:
            yield from self._find_wide_filters(kind, own)
            yield from find_plain_filters(kind)

    def _find_wide_filters(self, kind: PropertyKind, own: ValueChoices) -> Iterator[FilterKind]:
        """The filters of a property that compare a part of its value, of texts or of lists."""
        if kind.type == "STRING":
            yield from self._find_text_filters(kind.name)
        if kind.type in DATES:
            for part in ("year", "month", "day"):
                yield from self._find_number_filters(kind.name, part)
        if is_list(kind.type):
            types = list_compatible_types(kind.type[5:-1])
            literals = self._find_literals(NUMBERS_AND_YEARS if types == NUMBERS else types)
            items = _join_choices(own, literals)
            for is_negated in (False, True) if items else ():
                yield FilterKind(kind.name, "HAS", items, is_negated=is_negated)
            yield from self._find_number_filters(kind.name, "size")
        if has_numeric_texts(kind):
            for part in ("integer", "decimal"):
                yield from self._find_number_filters(kind.name, part)

    def _find_text_filters(self, name: str) -> Iterator[FilterKind]:
        """The comparisons of a text property with the literal texts of the question."""
        texts = self._find_literals(("STRING",))
        if not texts:
            return
        for part in ("", "lower"):
            for operator in TEXT_OPERATORS:
                yield FilterKind(name, operator, texts, part)
                yield FilterKind(name, operator, texts, part, is_negated=True)
        yield FilterKind(name, "=", texts, "lower")

    def _find_number_filters(self, name: str, part: str) -> Iterator[FilterKind]:
        """The comparisons of a part of a value that is a number."""
        numbers = self._find_literals(NUMBERS if part in _NO_YEARS else NUMBERS_AND_YEARS)
        yield from (FilterKind(name, operator, numbers, part) for operator in OPERATORS if numbers)

    def _find_literals(self, types: Collection[str]) -> ValueChoices:
        """The literals of some types, by their names."""
        found = self._literals_by_types.get(types)
        if found is None:
            named: dict[str, list[int]] = defaultdict(list)
            for index, value in self._literals:
                if value.stored.type in types:
                    named[value.name].append(index)
            found = tuple((name, tuple(of)) for name, of in named.items())
            self._literals_by_types[types] = found
        return found


def _join_choices(first: ValueChoices, second: ValueChoices) -> ValueChoices:
    """The choices of both; those of one name are joined."""
    joined: dict[str, tuple[int, ...]] = dict(first)
    for name, values in second:
        joined[name] = (*joined.get(name, ()), *values)
    return tuple(joined.items())
