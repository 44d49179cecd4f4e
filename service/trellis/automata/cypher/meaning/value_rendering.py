"""Renders operands and comparisons as Cypher: properties, parts of values, values as parameters."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from trellis.automata.cypher.meaning.items import WHETHER, ArithmeticTerm, ReturnItem
from trellis.automata.cypher.meaning.query import (
    OPEN_OPERATORS,
    ORDERED_OPERATORS,
    Operator,
    PropertyReference,
    QueryFilter,
)
from trellis.domain.graphs.links import StoredValue
from trellis.domain.identifiers import quote_name

TEMPORAL_FUNCTIONS = {
    "DATE": "date",
    "LOCAL TIME": "localtime",
    "ZONED TIME": "time",
    "LOCAL DATETIME": "localdatetime",
    "ZONED DATETIME": "datetime",
    "DURATION": "duration",
}

PART_FUNCTIONS = {
    "size": "size",
    "lower": "toLower",
    "integer": "toInteger",
    "decimal": "toFloat",
}
"""The functions that give a part of a value. Other parts are properties of the value."""

MADE_BY_PRECISION = {"day": "date", "clock": "localtime"}
"""The functions that give of an instant its day, and of a time with a zone its clock."""

INSTANT = "epochMillis"
"""The part of a zoned time by which two are compared, as `=` tells those of two zones apart."""

FROM_DAY = "localdatetime('1970-01-01') + "
"""What stands before lengths of time that are compared."""

_ZONE = re.compile(r"[zZ]$|[+-]\d\d:?\d\d$")

Chosen = Mapping[tuple[int, ...], tuple[int, ...]]
"""The linked values that are meant, for each choice of values that share a name: one, or several
spellings of it."""


class ValueRenderer:
    """Renders comparisons, with values as parameters."""

    def __init__(self, values: Sequence[StoredValue], chosen: Chosen) -> None:
        self._values = values
        self._chosen = chosen

    def render_value(self, choice: tuple[int, ...]) -> str:
        """The parameter of the first value that is meant, made temporal where it is that."""
        return self._render_index(self._chosen[choice][0])

    def _render_index(self, index: int) -> str:
        stored = self._values[index]
        maker = MADE_BY_PRECISION.get(_find_precision(stored)) or TEMPORAL_FUNCTIONS.get(
            stored.type, ""
        )
        return f"{maker}($v{index})" if maker else f"$v{index}"

    def render_filter(self, variable: str, each: QueryFilter) -> str:
        """A condition on a property of a variable."""
        left = render_property(variable, each.property, each.part)
        text = self._render_comparison(left, each)
        return f"NOT ({text})" if each.is_negated else text

    def _render_comparison(self, left: str, each: QueryFilter) -> str:
        if each.reference:
            return _render_reference(left, each.operator, each.reference)
        indices = [index for choice in each.list_choices() for index in self._chosen[choice]]
        pairs = [self._render_sides(left, index, each) for index in indices]
        values = [right for _, right in pairs]
        if not values:
            return f"{left} {each.operator}"
        is_alike = len({side for side, _ in pairs}) == 1
        if len(values) > 1 and each.operator in ("=", "<>") and is_alike:
            inside = f"{pairs[0][0]} IN [{', '.join(values)}]"
            return inside if each.operator == "=" else f"NOT {inside}"
        if operator := OPEN_OPERATORS.get(each.operator):
            return f"({pairs[0][0]} {operator} {values[0]} OR {left} IS NULL)"
        if each.operator == "HAS":
            compared = [f"{value} IN {left}" for value in values]
        else:
            compared = [f"{side} {each.operator} {value}" for side, value in pairs]
        joined = " AND " if each.operator == "<>" else " OR "
        return compared[0] if len(compared) == 1 else f"({joined.join(compared)})"

    def _render_sides(self, left: str, index: int, each: QueryFilter) -> tuple[str, str]:
        """A property and a value as they can be compared. An instant is compared with a day by its
        own day, a time with one that has no zone by its own clock; of two lengths of time Cypher
        says which is longer only behind a day."""
        stored, right = self._values[index], self._render_index(index)
        if stored.type == "DURATION" and each.operator in ORDERED_OPERATORS:
            return f"{FROM_DAY}{left}", f"{FROM_DAY}{right}"
        maker = MADE_BY_PRECISION.get(_find_precision(stored))
        return f"{maker}({left})" if maker else left, self._fold(right, each.part)

    def _fold(self, value: str, part: str) -> str:
        return f"toLower({value})" if part == "lower" else value


def _find_precision(stored: StoredValue) -> str:
    """What a value of a finer type says alone: `day` of instants, `clock` of times with a zone."""
    if stored.type in ("LOCAL DATETIME", "ZONED DATETIME"):
        return "" if "T" in str(stored.value) else "day"
    is_bare = stored.type == "ZONED TIME" and not _ZONE.search(str(stored.value))
    return "clock" if is_bare else ""


def _render_reference(left: str, operator: Operator, other: PropertyReference) -> str:
    """Two properties as they can be compared: instants by the moment that they are, whatever the
    zone, and lengths of time behind a day."""
    right = render_property(f"x{other.node}", other.property, other.part)
    if other.type == "ZONED DATETIME":
        return f"{left}.{INSTANT} {operator} {right}.{INSTANT}"
    if other.type == "DURATION" and operator in ORDERED_OPERATORS:
        return f"{FROM_DAY}{left} {operator} {FROM_DAY}{right}"
    return f"{left} {operator} {right}"


def render_operand(item: ReturnItem) -> str:
    """Render what is returned or ordered by."""
    if item.form == WHETHER:
        return "count(*) > 0"
    of = _render_owned(item)
    if item.term:
        of = f"{of} {item.term.operator} {_render_owned(item.term)}"
    if not item.is_aggregate:
        return of
    return f"{item.form.function}({'DISTINCT ' if item.form.distinct else ''}{of})"


def _render_owned(owner: ReturnItem | ArithmeticTerm) -> str:
    variable = f"x{owner.node}" if owner.edge is None else f"r{owner.edge}"
    return render_property(variable, owner.key, owner.part)


def render_property(variable: str, name: str, part: str = "") -> str:
    """Render a property of a variable, or a part of its value."""
    text = f"{variable}.{quote_name(name)}" if name else variable
    if part in PART_FUNCTIONS:
        return f"{PART_FUNCTIONS[part]}({text})"
    return f"{text}.{part}" if part else text
