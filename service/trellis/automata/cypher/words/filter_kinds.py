"""The kinds of comparisons that properties can have."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from trellis.automata.cypher.meaning.query import Operator
from trellis.automata.cypher.words.property_types import ORDERED, is_list
from trellis.automata.cypher.words.wording import OPERATORS
from trellis.domain.graphs.schema import PropertyKind

ValueChoices = tuple[tuple[str, tuple[int, ...]], ...]
"""Names of values, each with the linked values that it may mean."""

TEXT_OPERATORS: tuple[Operator, ...] = ("CONTAINS", "STARTS WITH", "ENDS WITH")
_PRESENCE: tuple[Operator, ...] = ("IS NULL", "IS NOT NULL")


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
        return self.operator in ("=", "<>", "HAS", *TEXT_OPERATORS)


IS_OTHER_NODE = FilterKind("", "<>", has_reference=True)
"""The filter of a node that must not be an earlier one."""


def list_comparisons(kind: PropertyKind, is_wide: bool) -> Sequence[Operator]:
    """The comparisons of a property: all where its values have an order, none for lists."""
    if kind.type in ORDERED or (is_wide and kind.type == "STRING"):
        return OPERATORS
    return () if is_list(kind.type) else OPERATORS[:2]


def find_plain_filters(kind: PropertyKind) -> Iterator[FilterKind]:
    """The filters of a property that need no value: whether there is one, and how it compares with
    another property."""
    yield from (FilterKind(kind.name, operator) for operator in _PRESENCE)
    for operator in list_comparisons(kind, is_wide=True):
        yield FilterKind(kind.name, operator, has_reference=True)
