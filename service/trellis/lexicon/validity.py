"""Validity: the two properties of a relationship between which it holds, by their names.

`valid_from` and `valid_to`, `since` and `until`, `startYear` and `endYear`: where only the first
has a value, the relationship still holds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from trellis.domain.graphs.schema import PropertyKind, Schema
from trellis.lexicon.names import read_name

_PAIRS = (
    ("from", "to"),
    ("from", "until"),
    ("from", "till"),
    ("since", "until"),
    ("since", "till"),
    ("since", "to"),
    ("start", "end"),
    ("started", "ended"),
    ("starts", "ends"),
    ("begin", "end"),
    ("begins", "ends"),
    ("began", "ended"),
    ("joined", "left"),
)
_TYPES = ("DATE", "LOCAL DATETIME", "ZONED DATETIME", "INTEGER")
_FIRST_YEAR, _LAST_YEAR = 1_000, 2_200


@dataclass(frozen=True, slots=True)
class Validity:
    """The properties that say when a relationship begins and when it ends; both of one type, which
    is a date, a time or, of years, a whole number."""

    begins: PropertyKind
    ends: PropertyKind


def find_validities(schema: Schema) -> Mapping[str, Validity]:
    """The validity of each relationship type that has one."""
    return schema.uncounted.derive(_find_validities)


def _find_validities(schema: Schema) -> dict[str, Validity]:
    found = {
        type_: _find_validity(kinds) for type_, kinds in schema.relationship_properties.items()
    }
    return {type_: validity for type_, validity in found.items() if validity}


def _find_validity(kinds: Sequence[PropertyKind]) -> Validity | None:
    pairs = [Validity(one, other) for one in kinds for other in kinds if _is_interval(one, other)]
    return pairs[0] if len(pairs) == 1 else None


def _is_interval(one: PropertyKind, other: PropertyKind) -> bool:
    """Whether two properties are named alike but for the words of a beginning and of an end."""
    if one.type != other.type or one.type not in _TYPES or not (_is_time(one) and _is_time(other)):
        return False
    first, last = read_name(one.name).words, read_name(other.name).words
    return any(
        begin in first
        and end in last
        and [word for word in first if word != begin] == [word for word in last if word != end]
        for begin, end in _PAIRS
    )


def _is_time(kind: PropertyKind) -> bool:
    """Whether the values of a property that are known are dates, or years."""
    known = [each for each in (*kind.values, *kind.examples) if isinstance(each, int)]
    is_years = bool(known) and all(_FIRST_YEAR <= each <= _LAST_YEAR for each in known)
    return kind.type != "INTEGER" or is_years
