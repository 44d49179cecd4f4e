"""`Queries` over Neo4j: EXPLAIN, the gate's rules, then a READ transaction within limits."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, cast

from cachetools import TTLCache
from neo4j import AsyncManagedTransaction, graph

from trellis.domain.errors import RefusedQueryError
from trellis.domain.structures.cypher import (
    GATE_LIMITS,
    Cell,
    CypherQuery,
    QueryLimits,
    Rows,
    Verdict,
)
from trellis.graph.database.connection import GraphConnection
from trellis.graph.database.failures import translate_driver_errors
from trellis.graph.database.wide_records import RecordMeter, WideRecordError, limit_record
from trellis.graph.gate.cells import (
    convert_row,
    estimate_bytes,
    find_end_ids,
    find_nodes,
    is_internal_row,
)
from trellis.graph.gate.failures import translate_query_errors
from trellis.graph.gate.parameters import check_encodable, check_parameters, shape_of
from trellis.graph.gate.plans import check_plan, plan_of
from trellis.graph.gate.rules import check_rules
from trellis.graph.gate.tokens import QueryToken, tokenize

_REMEMBERED = 1_000
_SECONDS = 60.0  # during which a verdict is remembered
_PREFIX = "EXPLAIN "
_WIRE_SHARE = 4  # of the bytes allowed, what may come for one row: our own vectors come along

_AMBIGUOUS = frozenset("`{}")
_ENDS = "MATCH (n) WHERE elementId(n) IN $ids RETURN n"


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of a query: its characters, the rows that its plan may expect (`row_budget`), and
    the rows, bytes and seconds of its result."""

    characters: int = 10_000
    row_budget: float = 1_000_000
    rows: int = 10_000
    bytes: int = 4_000_000
    seconds: float = 20.0


class Neo4jQueries:
    """Runs the queries that pass the gate.

    It remembers a verdict for a minute, by the query's text and the shape of its parameters. These
    determine what the query does; only its cost changes with the graph.
    """

    def __init__(self, connection: GraphConnection, limits: Limits) -> None:
        self._connection = connection
        self._limits = limits
        self._verdicts: TTLCache[Any, Verdict] = TTLCache(_REMEMBERED, _SECONDS)

    def judge_text(self, query: CypherQuery) -> Verdict | None:
        try:
            self._check_query(query)
        except RefusedQueryError as refused:
            return Verdict(False, refused.problem, refused.remedy)
        return None

    async def explain(self, query: CypherQuery) -> Verdict:
        if refused := self.judge_text(query):
            return refused
        key = query.text, shape_of(query.params)
        if key not in self._verdicts:
            self._verdicts[key] = await self._judge_plan(query)
        return self._verdicts[key]

    async def run(self, query: CypherQuery, limits: QueryLimits = GATE_LIMITS) -> Rows:
        verdict = await self.explain(query)
        if not verdict.is_allowed:
            raise RefusedQueryError(verdict.reason, verdict.remedy)
        rows = min(limits.rows or self._limits.rows, self._limits.rows)
        seconds = min(limits.seconds or self._limits.seconds, self._limits.seconds)

        async def read_result(transaction: AsyncManagedTransaction) -> Rows:
            with translate_query_errors():
                return await _read_rows(transaction, query, rows, self._limits.bytes)

        return await self._connection.run_read_transaction(read_result, seconds)

    def _check_query(self, query: CypherQuery) -> None:
        """Raise RefusedQueryError or QuerySyntaxError if the rules on text and parameters fail."""
        if len(query.text) > self._limits.characters:
            raise RefusedQueryError(
                f"the query has {len(query.text):,} characters",
                f"send at most {self._limits.characters:,}, and long values as parameters",
            )
        check_parameters(query.params)
        query_tokens = _tokenize(check_encodable(query.text))
        check_rules(query_tokens, query.params)

    async def _judge_plan(self, query: CypherQuery) -> Verdict:
        """The verdict on the plan. `_check_query` made sure that the text is one query, so that
        EXPLAIN applies to all of it.

        Raises QuerySyntaxError if it does not parse.
        """
        with (
            translate_driver_errors(self._connection.uri, self._limits.seconds),
            translate_query_errors(_PREFIX),
        ):
            summary, columns = await self._connection.explain_query(query.text, query.params)
        root = cast(Mapping[str, Any], summary.plan)
        plan = plan_of(summary.query_type or "", root, columns)
        try:
            check_plan(plan, root, self._limits.row_budget, ambiguous=_is_ambiguous(query.text))
        except RefusedQueryError as refused:
            return Verdict(False, refused.problem, refused.remedy, plan)
        return Verdict(True, plan=plan)


@lru_cache(maxsize=_REMEMBERED)
def _tokenize(text: str) -> Sequence[QueryToken]:
    return tokenize(text)


def _is_ambiguous(text: str) -> bool:
    """Whether names or texts hold backticks or braces, which plans do not always quote."""
    kinds = ("name", "text")
    return any(_AMBIGUOUS & set(token.text) for token in _tokenize(text) if token.kind in kinds)


async def _read_rows(
    transaction: AsyncManagedTransaction, query: CypherQuery, max_rows: int, max_bytes: int
) -> Rows:
    """The rows within both limits; the rest of the result is not fetched."""
    try:
        with limit_record(_WIRE_SHARE * max_bytes) as meter:
            return await _read_limited_rows(transaction, query, (max_rows, max_bytes), meter)
    except WideRecordError as error:
        raise RefusedQueryError(
            f"one row of the result is larger than {max_bytes:,} bytes",
            "return fewer or smaller things in one row: names in place of whole nodes",
        ) from error


async def _read_limited_rows(
    transaction: AsyncManagedTransaction,
    query: CypherQuery,
    limits: tuple[int, int],
    meter: RecordMeter,
) -> Rows:
    max_rows, max_bytes = limits
    result = await transaction.run(query.text, dict(query.params))
    rows: list[list[Any]] = []
    size, cut = 0, ""
    async for record in result:
        values = list(record.values())
        row_size = await asyncio.to_thread(_measure, values) if meter.is_wide else _measure(values)
        if row_size is None:
            continue
        size += row_size
        if len(rows) == max_rows or size > max_bytes:
            cut = f"{max_rows:,} rows" if len(rows) == max_rows else f"{max_bytes:,} bytes"
            break
        rows.append(values)
    await result.consume()
    return Rows(tuple(result.keys()), await _build_cells(transaction, rows), cut)


def _measure(values: Sequence[Any]) -> int | None:
    """The bytes of a row; None where it shows what indexing added, and is left out."""
    return None if is_internal_row(values) else sum(map(estimate_bytes, values))


async def _build_cells(
    transaction: AsyncManagedTransaction, rows: Sequence[Sequence[Any]]
) -> list[tuple[Cell, ...]]:
    """The rows' cells; reads the ends of relationships that are not among the rows' nodes."""
    nodes: dict[str, graph.Node] = {
        node.element_id: node for values in rows for value in values for node in find_nodes(value)
    }
    ends = {id for values in rows for value in values for id in find_end_ids(value)} - nodes.keys()
    if ends:
        records = await transaction.run(_ENDS, ids=sorted(ends))
        nodes |= {record["n"].element_id: record["n"] async for record in records}
    return await asyncio.to_thread(lambda: [convert_row(values, nodes) for values in rows])
