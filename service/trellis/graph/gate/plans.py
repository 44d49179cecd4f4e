"""Rules on a plan: it uses only operators known to read, and expects rows within a budget."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from trellis.domain.errors import RefusedQueryError
from trellis.domain.structures.cypher import Plan
from trellis.graph.gate.allowed import EXPANDING_OPERATORS, OPERATORS
from trellis.graph.gate.texts import is_allowed_procedure

MOST_HOPS = 15
"""The most relationships of a variable-length pattern of which only the different ends count."""
MOST_TRAIL_HOPS = 8
"""The most relationships of other such patterns, whose every way is a row."""
MOST_SHORTEST_HOPS = 8
"""The most in `SHORTEST`, which tries all trails and does not notice that it was cancelled."""

PlanStep = Mapping[str, Any]
"""An operator as the driver gives it: `operatorType`, `args`; `children` unless it is a leaf."""

_STARS = re.compile(r"\*(?P<least>\d*)(?P<to>\.\.(?P<most>\d*))?\](?:->|-)\(")
_BRACES = re.compile(r"\{(?P<least>\d+), (?P<most>\d*)\} ")
_NAMES = re.compile(r"`(?:[^`]|``)*`")
_BRACE = re.compile(r"[{}]")
_NESTED = re.compile(r"\b(?:EXISTS|COUNT|COLLECT) \{")
_COSTLY = re.compile(
    r"\*|[)\->][{+]|Call\(|LOAD|SHORTEST|hortestPath|\), \(|MATCH.*MATCH", re.DOTALL
)
_BY = re.compile(r"\s*([^\s(]+)\(")


def plan_of(kind: str, root: PlanStep, columns: tuple[str, ...]) -> Plan:
    """Convert the driver's plan."""
    steps = list(_iterate_steps(root))
    rows = max(float(step["args"].get("EstimatedRows") or 0) for step in steps)
    return Plan(kind, tuple(_operator_name(step) for step in steps), columns, rows)


def check_plan(plan: Plan, root: PlanStep, row_budget: float, *, ambiguous: bool) -> None:
    """Raise RefusedQueryError if a plan writes, uses an unknown operator, or costs too much.

    `ambiguous`: whether the query's names or texts hold backticks or braces, which plans do not
    always quote.
    """
    if plan.kind != "r":
        raise RefusedQueryError("the query would change the graph", "ask for reading only")
    for step in _iterate_steps(root):
        details = str(step["args"].get("Details") or "")
        _check_operator(_operator_name(step), details)
        if _operator_name(step) != "ProduceResults":  # its details are the column names
            _check_subqueries(details if ambiguous else _NAMES.sub("", details), ambiguous)
    if plan.rows > row_budget:
        raise RefusedQueryError(
            f"the query may go through {plan.rows:,.0f} rows, the budget is {row_budget:,.0f}",
            "add a label, a filter or a relationship, or raise TRELLIS_CYPHER_BUDGET",
        )


def _check_operator(name: str, details: str) -> None:
    if name not in OPERATORS:
        raise RefusedQueryError(
            f"the plan holds {name}, which is not known to only read", "ask with MATCH and RETURN"
        )
    if name == "ProcedureCall":
        procedure = _BY.match(details)
        if not procedure or not is_allowed_procedure(procedure[1]):
            raise RefusedQueryError(
                f"the query calls {details[:80]}", "allowed are trellis.* and the index queries"
            )
    if name in EXPANDING_OPERATORS:
        _check_hops(_read_most_hops(name, details), _choose_hops(name))


def _check_subqueries(details: str, ambiguous: bool) -> None:
    """Raise RefusedQueryError if a subquery within a loop or CASE does more than match one pattern.

    Such a subquery is no operator of the plan; only its text is in the details.
    """
    for nested in _NESTED.finditer(details):
        end = len(details) if ambiguous else _find_closing_brace(details, nested.end())
        if _COSTLY.search(details, nested.end(), end):
            raise RefusedQueryError(
                "a subquery within a loop or CASE does more than follow one plain pattern",
                "ask in a clause before (MATCH, OPTIONAL MATCH, CALL { … }), and use what it gives",
            )


def _find_closing_brace(details: str, at: int) -> int:
    """The index at which the brace that opened before `at` closes; the end if it does not."""
    depth = 1
    for brace in _BRACE.finditer(details, at):
        depth += 1 if brace[0] == "{" else -1
        if depth == 0:
            return brace.start()
    return len(details)


def _check_hops(hops: float, limit: int) -> None:
    if hops > limit:
        length = "without an end" if hops == float("inf") else f"of up to {hops:,.0f} relationships"
        raise RefusedQueryError(
            f"the query follows paths {length}",
            f"give a bound, such as *1..5 or {{1,5}}, of {limit} at most; shortestPath needs none",
        )


def _choose_hops(operator: str) -> int:
    if "Shortest" in operator:
        return MOST_SHORTEST_HOPS
    return MOST_HOPS if "Pruning" in operator else MOST_TRAIL_HOPS


def _read_most_hops(name: str, details: str) -> float:
    """The most relationships that a step may follow; infinite if that is not clear.

    A name in the pattern may look like a bound. It cannot hide the true one, since the largest
    counts.
    """
    if name.startswith("Stateful") and "{" not in details:
        return 1
    bounds = (_STARS if name.startswith("VarLength") else _BRACES).finditer(details)
    return max((_parse_bound(match.groupdict()) for match in bounds), default=float("inf"))


def _parse_bound(groups: Mapping[str, str | None]) -> float:
    exact = "to" in groups and groups["to"] is None
    most = groups["least"] if exact else groups["most"]
    return float(most) if most else float("inf")


def _iterate_steps(root: PlanStep) -> Iterator[PlanStep]:
    yield root
    for child in root.get("children", ()):
        yield from _iterate_steps(child)


def _operator_name(step: PlanStep) -> str:
    return str(step["operatorType"]).partition("@")[0]
