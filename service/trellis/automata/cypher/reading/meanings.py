"""Finds the linked values that the literals of a query mean."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from trellis.automata.cypher.language import CypherLanguage
from trellis.automata.cypher.meaning.query import Operator
from trellis.automata.cypher.reading.expressions import Literal
from trellis.automata.cypher.words.filter_kinds import FilterKind, ValueChoices
from trellis.automata.cypher.words.property_types import find_item_type, is_list
from trellis.domain.errors import CypherReadError
from trellis.domain.graphs.graph import Scalar
from trellis.domain.graphs.links import StoredValue
from trellis.domain.graphs.schema import PropertyKind, Schema

_LITERAL_TYPES: dict[type, str] = {
    bool: "BOOLEAN",
    int: "INTEGER",
    float: "FLOAT",
    str: "STRING",
}
TEMPORAL_TYPES = {
    "date": "DATE",
    "time": "ZONED TIME",
    "localtime": "LOCAL TIME",
    "datetime": "ZONED DATETIME",
    "localdatetime": "LOCAL DATETIME",
    "duration": "DURATION",
}
"""The types of values by the functions that make them."""


@dataclass(frozen=True, slots=True)
class ComparedProperty:
    """A property and its comparison. The `owner` is the label of a node (empty: any label), or the
    type of a relationship."""

    owner: str
    is_edge: bool
    property: str
    operator: Operator
    part: str = ""
    is_negated: bool = False

    def fits(self, kind: FilterKind) -> bool:
        """Whether a filter is of this kind."""
        mine = (self.property, self.operator, self.part, self.is_negated)
        other = (kind.property, kind.operator, kind.part, kind.is_negated)
        return mine == other and not kind.has_reference


class Meanings(Protocol):
    """Finds what literals mean, as the indices of linked values that share a name."""

    def find_values(self, compared: ComparedProperty, literal: Literal) -> tuple[int, ...]: ...

    def find_number(self, literal: Literal) -> tuple[int, ...]: ...


class LinkedMeanings:
    """Finds the first linked value of a language that equals a literal.

    `by_name`: literals are also the names of linked values.
    """

    def __init__(self, language: CypherLanguage, by_name: bool = False) -> None:
        self._language = language
        self._names = {value.name for value in language.linked_values} if by_name else set()

    def find_values(self, compared: ComparedProperty, literal: Literal) -> tuple[int, ...]:
        """The values that a literal means; raises CypherReadError where none of them equals it."""
        for kind in self._find_kinds(compared):
            if values := self._choose_values(kind.values, literal):
                return values
        of = compared.owner or "any label"
        if literal.value in self._names:
            raise CypherReadError(
                f"{literal.value} is {self._describe_named(str(literal.value))}, "
                f"not a {compared.property} of {of}",
                "compare it with a property that it is a value of",
            )
        raise CypherReadError(
            f"{literal.value!r} is no linked value of {of}'s {compared.property}",
            f"link it, or leave out the comparison {compared.operator}",
        )

    def find_number(self, literal: Literal) -> tuple[int, ...]:
        """The numbers that a literal means; raises CypherReadError where none of them equals it."""
        values = self._choose_values(self._language.lexicon.number_choices, literal)
        if values:
            return values
        raise CypherReadError(f"{literal.value!r} is no linked number", "link it as a literal")

    def _describe_named(self, name: str) -> str:
        """What a linked value may be a value of: `a name of Country`."""
        stored = [value.stored for value in self._language.linked_values if value.name == name]
        kinds = (f"a {it.property} of {it.label}" for it in stored if not it.is_literal())
        return " or ".join(dict.fromkeys(kinds)) or "a number or a text"

    def _find_kinds(self, compared: ComparedProperty) -> Iterator[FilterKind]:
        lexicon = self._language.lexicon
        if compared.is_edge:
            kinds: Sequence[FilterKind] = lexicon.list_edge_filters(compared.owner)
            yield from filter(compared.fits, kinds)
            return
        labels = (compared.owner,) if compared.owner else self._language.known.ways.labels
        for label in labels:
            yield from filter(compared.fits, lexicon.list_filters((label,)))

    def _choose_values(self, choices: ValueChoices, literal: Literal) -> tuple[int, ...]:
        known = self._language.lexicon.values
        if literal.value in self._names and isinstance(literal.value, str):
            return next((values for name, values in choices if name == literal.value), ())
        for _, values in choices:
            if any(_is_same_value(known[value].stored.value, literal.value) for value in values):
                return values
        return ()


class CollectedMeanings:
    """Collects the literals of a query as the values that a perfect linker gives."""

    def __init__(self, schema: Schema) -> None:
        self._schema = schema
        self.values: dict[StoredValue, None] = {}

    def find_values(self, compared: ComparedProperty, literal: Literal) -> tuple[int, ...]:
        for value in self._make_values(compared, literal):
            self.values[value] = None
        return (0,)

    def find_number(self, literal: Literal) -> tuple[int, ...]:
        self.values[_make_literal(literal)] = None
        return (0,)

    def _make_values(self, compared: ComparedProperty, literal: Literal) -> Iterator[StoredValue]:
        if compared.part or compared.operator in ("CONTAINS", "STARTS WITH", "ENDS WITH"):
            yield _make_literal(literal)
            return
        if compared.is_edge:
            kinds = self._schema.relationship_properties.get(compared.owner, ())
            yield from (
                _make_edge_value(compared.owner, kind, literal)
                for kind in kinds
                if kind.name == compared.property
            )
            return
        for label in self._schema.labels:
            known = label.property(compared.property)
            if known and compared.owner in ("", label.label):
                if is_list(known.type):
                    yield StoredValue("", "", literal.value, find_item_type(known.type))
                else:
                    yield StoredValue(label.label, known.name, literal.value, known.type)


def _make_edge_value(owner: str, kind: PropertyKind, literal: Literal) -> StoredValue:
    """The value of a relationship's property: its own where the property has few, else a
    literal."""
    if literal.value in kind.values or kind.is_flag:
        return StoredValue(owner, kind.name, literal.value, kind.type)
    return StoredValue("", "", literal.value, find_item_type(kind.type))


def _make_literal(literal: Literal) -> StoredValue:
    """A literal that belongs to no property."""
    type_name = TEMPORAL_TYPES.get(literal.function) or _LITERAL_TYPES[type(literal.value)]
    return StoredValue("", "", literal.value, type_name)


def _is_same_value(value: Scalar, other: Scalar) -> bool:
    """Whether two values are equal in Cypher too: 1 = 1.0, but not TRUE = 1."""
    return value == other and isinstance(value, bool) == isinstance(other, bool)
