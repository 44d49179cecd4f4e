"""The types of properties, and which of their values can be compared."""

from __future__ import annotations

from collections.abc import Collection

from trellis.domain.graphs.graph import Scalar
from trellis.domain.graphs.schema import PropertyKind
from trellis.lexicon.property_phrases import may_be_year

NUMBERS = frozenset({"INTEGER", "FLOAT"})
DATES = frozenset({"DATE", "LOCAL DATETIME", "ZONED DATETIME"})
ORDERED = NUMBERS | DATES | {"LOCAL TIME", "ZONED TIME", "DURATION"}

YEAR = "YEAR"
"""The type of a literal number that says when."""

NUMBERS_AND_YEARS = NUMBERS | {YEAR}

MIXED = "ANY"
"""The type of a property that has several."""


def list_compatible_types(type_name: str) -> Collection[str]:
    """The types of literals that values of a type are compared with."""
    return NUMBERS if type_name in NUMBERS else (type_name,)


def list_literal_types(kind: PropertyKind) -> Collection[str]:
    """The types of the literals of a question that a property is compared with; of numbers, times
    alone are compared with years."""
    if kind.type in NUMBERS and may_be_year(kind):
        return NUMBERS_AND_YEARS
    return list_compatible_types(kind.type)


def are_comparable(one: str, other: str) -> bool:
    """Whether it makes sense to compare values of two types."""
    return one == other or (one in NUMBERS and other in NUMBERS)


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


def find_item_type(type_name: str) -> str:
    """The type of a list's items; that of anything else is its own."""
    return type_name[5:-1].removesuffix(" NOT NULL") if is_list(type_name) else type_name
