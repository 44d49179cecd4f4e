"""Values of Cypher that is run: a query, the planner's plan, the gate's verdict, the rows."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

from trellis.domain.graphs.graph import Node, Triple, Walk

Cell = Any
"""A value in a row: `Node`, `Triple`, `Walk`, a scalar, or lists and maps of these.

Temporal values, points and bytes are `TypedText`.
"""


class TypedText(str):
    """The text of a value of a Cypher type that JSON lacks, such as `2020-02-29`.

    `type`: the name of its type. `parts`: what the value consists of, as JSON. Temporal values are
    ISO 8601, points as Cypher writes them, bytes base64.
    """

    __slots__ = ("parts", "type")

    type: str
    parts: Mapping[str, str | float]

    def __new__(cls, text: str, type: str, parts: Mapping[str, str | float] | None = None) -> Self:
        made = super().__new__(cls, text)
        made.type = type
        made.parts = {"value": text} if parts is None else parts
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (str(self), self.type, self.parts)


@dataclass(frozen=True, slots=True)
class CypherQuery:
    """A query and its parameters, which can be run unchanged."""

    text: str
    params: Mapping[str, Any] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class Plan:
    """The planner's plan, operators from the top down.

    `kind`: the driver's query type, `r` (read), `w`, `rw` or `s` (schema). `rows`: the largest
    number of rows that the planner expects of any operator.
    """

    kind: str
    operators: tuple[str, ...]
    columns: tuple[str, ...]
    rows: float


@dataclass(frozen=True, slots=True)
class Verdict:
    """The gate's decision on a query; of a refused one the reason, and what would be allowed."""

    is_allowed: bool
    reason: str = ""
    remedy: str = ""
    plan: Plan | None = None


@dataclass(frozen=True, slots=True)
class QueryLimits:
    """The most rows that a query may return and seconds that it may take; None: the gate's
    limit."""

    rows: int | None = None
    seconds: float | None = None


GATE_LIMITS = QueryLimits()


@dataclass(frozen=True, slots=True)
class Rows:
    """The rows of a query. `cut`: the limit by which some were left out; empty where none were."""

    columns: tuple[str, ...]
    rows: Sequence[Sequence[Cell]]
    cut: str = ""


def nodes_in(cell: Cell) -> Iterator[Node]:
    """All nodes in a cell, in order, those of its relationships and paths included."""
    if isinstance(cell, Node):
        yield cell
    elif isinstance(cell, Triple):
        yield from (cell.head, cell.tail)
    elif isinstance(cell, Walk):
        yield from cell.nodes
    else:
        for part in _list_parts(cell):
            yield from nodes_in(part)


def triples_in(cell: Cell) -> Iterator[Triple]:
    """All relationships in a cell, in order, those of its paths included."""
    if isinstance(cell, Triple):
        yield cell
    elif isinstance(cell, Walk):
        yield from cell.triples()
    else:
        for part in _list_parts(cell):
            yield from triples_in(part)


def _list_parts(cell: Cell) -> Sequence[Cell]:
    if isinstance(cell, Mapping):
        return tuple(cell.values())
    return cell if isinstance(cell, list | tuple) else ()


def write_value(cell: Cell) -> str:
    """A value as the text of an answer."""
    if isinstance(cell, bool):
        return str(cell).lower()
    whole = isinstance(cell, float) and math.isfinite(cell) and cell.is_integer()
    return str(int(cell) if whole else cell)
