"""Cypher that is to be run: a query, what the planner says of it, the gate's verdict, its rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from trellis.domain.graph import Node, Triple, Walk

Cell = Any
"""What a row holds: `Node`, `Triple`, `Walk`, a scalar, or lists and maps of these.

Temporal values are text (ISO 8601), points are text as Cypher writes them, bytes are base64.
"""


@dataclass(frozen=True, slots=True)
class CypherQuery:
    """A query and its parameters, runnable as they stand."""

    text: str
    params: Mapping[str, Any] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class Plan:
    """The planner's plan, operators from the top down.

    `kind`: `r` (reads), `w`, `rw` or `s` (schema), as the driver says. `rows`: the most rows that
    the planner expects of any operator.
    """

    kind: str
    operators: tuple[str, ...]
    columns: tuple[str, ...]
    rows: float


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the gate says: whether a query may run; if not, why, and what would be allowed."""

    allowed: bool
    reason: str = ""
    remedy: str = ""
    plan: Plan | None = None


@dataclass(frozen=True, slots=True)
class Most:
    """The most that a query may give and take; None: as much as the gate allows."""

    rows: int | None = None
    seconds: float | None = None


AS_ALLOWED = Most()


@dataclass(frozen=True, slots=True)
class Rows:
    """What a query gave. `cut`: by which limit rows were left out; empty: all are here."""

    columns: tuple[str, ...]
    rows: Sequence[Sequence[Cell]]
    cut: str = ""


def nodes_in(cell: Cell) -> Iterator[Node]:
    """The nodes that a cell holds, in order; those of relationships and paths too."""
    if isinstance(cell, Node):
        yield cell
    elif isinstance(cell, Triple):
        yield from (cell.head, cell.tail)
    elif isinstance(cell, Walk):
        yield from cell.nodes
    else:
        for part in _parts(cell):
            yield from nodes_in(part)


def triples_in(cell: Cell) -> Iterator[Triple]:
    """The relationships that a cell holds, in order: evidence, as it stands in the graph."""
    if isinstance(cell, Triple):
        yield cell
    elif isinstance(cell, Walk):
        yield from cell.triples()
    else:
        for part in _parts(cell):
            yield from triples_in(part)


def _parts(cell: Cell) -> Sequence[Cell]:
    if isinstance(cell, Mapping):
        return tuple(cell.values())
    return cell if isinstance(cell, list | tuple) else ()
