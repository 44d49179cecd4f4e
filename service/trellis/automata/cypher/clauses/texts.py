"""Writes what Cypher names: labels and properties, variables, values, operands."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from trellis.automata.cypher.meaning.items import WHETHER, ArithmeticTerm, ReturnItem
from trellis.automata.cypher.meaning.query import QueryGraph
from trellis.automata.cypher.meaning.value_rendering import PART_FUNCTIONS, TEMPORAL_FUNCTIONS
from trellis.automata.cypher.words.bound_values import Lexicon, NamedValue
from trellis.automata.paths.segments import measure_longest
from trellis.domain.identifiers import quote_name

_AGGREGATE_COLUMN, _PLAIN_COLUMN = "num", "key"
"""The letters of the column of an aggregate and of another one; variables have one or two."""

_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9_]*", re.ASCII)
_MENTIONED = re.compile(r"v\d+", re.ASCII)
_LETTER = re.compile(r"[a-z]", re.ASCII)
_EDGE, _NODE = "r", "n"


def write_name(name: str) -> str:
    """A name of the schema, quoted only where it has other characters than a plain one."""
    return name if _PLAIN.fullmatch(name) else quote_name(name)


def name_variable(label: str, taken_names: Collection[str]) -> str:
    """A variable for one more node: the first letter of its label, numbered where that is taken.

    The letter of relationships takes a second one, and a label without letters that of any node.
    """
    letters = "".join(_LETTER.findall(label.lower())) or _NODE
    stem = letters[0] if letters[0] != _EDGE else f"{_EDGE}{(letters[1:2] or _NODE)}"
    names = (stem, *(f"{stem}{number}" for number in range(2, 2 + len(taken_names) + 1)))
    return next(name for name in names if name not in taken_names)


def name_edges(query: QueryGraph, lexicon: Lexicon) -> list[str]:
    """The variable of each relationship; empty for a type that has no properties."""
    names: list[str] = []
    for edge in query.edges:
        has_properties = bool(edge.type) and bool(lexicon.list_relationship_properties(edge.type))
        number = 1 + len(list(filter(None, names)))
        name = _EDGE if number == 1 else f"{_EDGE}{number}"
        names.append(name if has_properties and lexicon.is_wide else "")
    return names


def write_node(variable: str, label: str) -> str:
    """The inside of a node's parentheses where it stands for the first time."""
    return f"{variable}:{write_name(label)}" if label else variable


def write_property(variable: str, name: str, part: str = "") -> str:
    """A property of a variable, or a part of its value; the variable itself without a name."""
    text = f"{variable}.{write_name(name)}" if name else variable
    if part in PART_FUNCTIONS:
        return f"{PART_FUNCTIONS[part]}({text})"
    return f"{text}.{part}" if part else text


def write_value(value: NamedValue, part: str = "") -> str:
    """A value by its name: a parameter where a question mentions it, else a literal."""
    text = _write_plain_value(value)
    maker = TEMPORAL_FUNCTIONS.get(value.stored.type, "")
    made = f"{maker}({text})" if maker else text
    return f"toLower({made})" if part == "lower" else made


def _write_plain_value(value: NamedValue) -> str:
    name = value.name
    if _MENTIONED.fullmatch(name):
        return f"${name}"
    if value.stored.type == "BOOLEAN" and name in ("true", "false"):
        return name
    if value.stored.type == "STRING":
        return "'" + name.replace("\\", "\\\\").replace("'", "\\'") + "'"
    return f"${write_name(name)}"


def write_operand(item: ReturnItem, nodes: Sequence[str], edges: Sequence[str]) -> str:
    """What is returned or ordered by, with its aggregate."""
    if item.form == WHETHER:
        return "count(*) > 0"
    of = write_inside(item, nodes, edges)
    if not item.is_aggregate:
        return of
    return f"{item.form.function}({'DISTINCT ' if item.form.distinct else ''}{of})"


def write_inside(item: ReturnItem, nodes: Sequence[str], edges: Sequence[str]) -> str:
    """What is returned or ordered by, without its aggregate."""
    of = _write_owned(item, nodes, edges)
    if not item.term:
        return of
    return f"{of} {item.term.operator} {_write_owned(item.term, nodes, edges)}"


def _write_owned(
    owner: ReturnItem | ArithmeticTerm, nodes: Sequence[str], edges: Sequence[str]
) -> str:
    variable = nodes[owner.node] if owner.edge is None else edges[owner.edge]
    return write_property(variable, owner.key, owner.part)


def name_column(item: ReturnItem, index: int) -> str:
    """The name of the column of a WITH that has an index among these."""
    stem = _AGGREGATE_COLUMN if item.is_aggregate else _PLAIN_COLUMN
    return f"{stem}{index + 1}" if index else stem


def measure_names(lexicon: Lexicon) -> tuple[int, int, int, int]:
    """The most bytes that a label, a relationship type, a property and a value take, with the
    marks around them."""
    wording = lexicon.wording
    marks = 24  # a variable with its number, brackets and arrows, functions, operators
    label, edge, of = (
        marks + measure_longest([write_name(name) for name in names])
        for names in (wording.labels, wording.types, wording.properties)
    )
    values = [write_value(value, "lower") for value in lexicon.values]
    return label, edge, of, marks + measure_longest(values)
