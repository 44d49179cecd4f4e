"""Renders operands and comparisons as Cypher: properties, parts of values, values as parameters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from trellis.automata.cypher.items import WHETHER, ArithmeticTerm, ReturnItem
from trellis.automata.cypher.query import OPEN_OPERATORS, QueryFilter
from trellis.domain.identifiers import quote_name
from trellis.domain.links import StoredValue

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
        maker = TEMPORAL_FUNCTIONS.get(self._values[index].type, "")
        return f"{maker}($v{index})" if maker else f"$v{index}"

    def render_filter(self, variable: str, each: QueryFilter) -> str:
        """A condition on a property of a variable."""
        text = self._render_comparison(
            render_property(variable, each.property, each.part),
            each,
            [
                self._fold(self._render_index(index), each.part)
                for choice in each.list_choices()
                for index in self._chosen[choice]
            ],
        )
        return f"NOT ({text})" if each.is_negated else text

    def _render_comparison(self, left: str, each: QueryFilter, values: Sequence[str]) -> str:
        if each.reference:
            other = each.reference
            right = render_property(f"x{other.node}", other.property, other.part)
            return f"{left} {each.operator} {right}"
        if not values:
            return f"{left} {each.operator}"
        if len(values) > 1 and each.operator in ("=", "<>"):
            inside = f"{left} IN [{', '.join(values)}]"
            return inside if each.operator == "=" else f"NOT {inside}"
        if operator := OPEN_OPERATORS.get(each.operator):
            return f"({left} {operator} {values[0]} OR {left} IS NULL)"
        if each.operator == "HAS":
            compared = [f"{value} IN {left}" for value in values]
        else:
            compared = [f"{left} {each.operator} {value}" for value in values]
        return compared[0] if len(compared) == 1 else f"({' OR '.join(compared)})"

    def _fold(self, value: str, part: str) -> str:
        return f"toLower({value})" if part == "lower" else value


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
