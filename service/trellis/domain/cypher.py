"""Cypher that is to be run: a query, what the planner says of it, the gate's verdict, its rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any


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
class Rows:
    """What a query gave. `cut`: by which limit rows were left out; empty: all are here."""

    columns: tuple[str, ...]
    rows: Sequence[Sequence[Any]]
    cut: str = ""
