"""Requests and responses of Cypher queries, version 1."""

from __future__ import annotations

import math
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from trellis.domain.graphs.graph import Node, Triple, Walk
from trellis.domain.structures.cypher import Cell, CypherQuery, Plan, Rows, Verdict
from trellis.wire.request_bodies import RequestBody

_CAPITAL = """MATCH (c:Country {name: $name})-[:HAS_CAPITAL]->(n) RETURN n.name AS capital"""


class CypherRequest(RequestBody):
    """A query and its parameters."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {"query": _CAPITAL, "params": {"name": "France"}},
                {"query": "MATCH (n)-[r]->() RETURN type(r) AS relation, count(*) AS many"},
            ]
        }
    )

    query: str = Field(description="One query that only reads, in Cypher.")
    params: dict[str, Any] | None = Field(None, description="What stands for `$name` in it.")

    def to_query(self) -> CypherQuery:
        """The query and its parameters as a value of the domain."""
        return CypherQuery(self.query, self.params or {})


class PlanBody(BaseModel):
    """The planner's plan: its operators from the top down, and what it gives."""

    operators: list[str]
    columns: list[str]

    @classmethod
    def of(cls, plan: Plan) -> PlanBody:
        return cls(operators=list(plan.operators), columns=list(plan.columns))


class ExplanationBody(BaseModel):
    """Whether the gate lets a query run; if not, why, and what would be allowed."""

    allowed: bool
    reason: str = Field("", description="Why not.")
    remedy: str = Field("", description="What would be allowed.")
    estimated_rows: float | None = Field(
        None, description="The most rows that the planner expects of any operator."
    )
    plan: PlanBody | None = Field(None, description="Unset where the text is refused already.")

    @classmethod
    def of(cls, verdict: Verdict) -> ExplanationBody:
        plan = verdict.plan
        return cls(
            allowed=verdict.is_allowed,
            reason=verdict.reason,
            remedy=verdict.remedy,
            estimated_rows=plan.rows if plan else None,
            plan=PlanBody.of(plan) if plan else None,
        )


class RowsBody(BaseModel):
    """A query's rows.

    A node is `{id, name, labels, properties}`, a relationship `{head, relation, tail, properties}`,
    a path `{nodes, triples}`. Temporal and spatial values, and numbers that JSON lacks, are text.
    """

    columns: list[str]
    rows: list[list[Any]]
    cut: str = Field("", description="The limit that left rows out; empty: these are all.")

    @classmethod
    def of(cls, rows: Rows) -> RowsBody:
        cells = [[encode_run_cell(cell) for cell in row] for row in rows.rows]
        return cls(columns=list(rows.columns), rows=cells, cut=rows.cut)


def encode_run_cell(cell: Cell) -> Any:
    """A cell as a JSON value."""
    if isinstance(cell, Node):
        of_node = {"id": cell.id, "name": cell.name, "labels": list(cell.labels)}
        return {**of_node, "properties": encode_run_cell(cell.properties or {})}
    if isinstance(cell, Triple):
        ends = {
            "head": encode_run_cell(cell.head),
            "relation": cell.relation,
            "tail": encode_run_cell(cell.tail),
        }
        return {**ends, "properties": encode_run_cell(cell.properties or {})}
    if isinstance(cell, Walk):
        triples = [[t.head.name, t.relation, t.tail.name] for t in cell.triples()]
        return {"nodes": [encode_run_cell(node) for node in cell.nodes], "triples": triples}
    if isinstance(cell, dict):
        return {name: encode_run_cell(value) for name, value in cell.items()}
    if isinstance(cell, list | tuple):
        return [encode_run_cell(item) for item in cell]
    return str(cell) if isinstance(cell, float) and not math.isfinite(cell) else cell
