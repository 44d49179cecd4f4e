"""Execution match: whether a query returns what the gold query does, and which candidates run.

Queries match if their sets of rows are equal; columns compare by position, nodes by element id. If
the gold query sorts and limits, rows tied with its last row count as right too. Nodes that were
found without a query match if they are the gold query's rows.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from trellis.domain.ports import Queries
from trellis.domain.replies.reply import Reply
from trellis.domain.structures.cypher import GATE_LIMITS, Cell, CypherQuery, QueryLimits, Rows
from trellis.evaluation.final_return import FinalReturn, parse_final_return
from trellis.evaluation.gold_rows import Row, run_query
from trellis.steps.ground.queries.answer_cells import make_cell_key


@dataclass(frozen=True, slots=True)
class ExecutionResult:
    """The results of running a reply's queries: whether the rows match gold's (None without gold),
    and for each candidate whether it runs, and whether its rows match (empty without gold)."""

    match: bool | None = None
    runs: tuple[bool, ...] = ()
    matches: tuple[bool, ...] = ()


async def execute_reply(queries: Queries, gold: str | None, reply: Reply | None) -> ExecutionResult:
    """Run a reply's query and its candidates, and compare their rows with the gold query's.

    Raises the error of a gold query that does not run.
    """
    candidates = [
        candidate.query
        for candidate in (reply.candidates if reply else ())
        if isinstance(candidate.query, CypherQuery)
    ]
    limits = QueryLimits() if gold else QueryLimits(rows=1)
    results = await asyncio.gather(*(run_query(queries, query, limits) for query in candidates))
    ran = tuple(rows is not None for rows in results)
    if not gold:
        return ExecutionResult(None, ran)
    wanted = await _GoldRows.of(queries, gold)
    matches = tuple(map(wanted.is_matched_by, results))
    if reply is None or not reply.cypher:
        return ExecutionResult(reply is not None and wanted.has_nodes_of(reply), ran, matches)
    rows = await run_query(queries, CypherQuery(reply.cypher, reply.params), limits)
    return ExecutionResult(wanted.is_matched_by(rows), ran, matches)


@dataclass(frozen=True, slots=True)
class _GoldRows:
    """The rows of a gold query; if it sorts and limits, also all the rows that it chooses from."""

    rows: frozenset[Row]
    final: FinalReturn | None = None
    ranked: Rows | None = None

    @classmethod
    async def of(cls, queries: Queries, gold: str) -> _GoldRows:
        query = CypherQuery(gold)
        rows, final = _collect_rows((await queries.run(query)).rows), parse_final_return(query)
        if final is None or not final.key_count or final.limit is None:
            return cls(rows)
        return cls(rows, final, await run_query(queries, final.ranking, GATE_LIMITS))

    def is_matched_by(self, given: Rows | None) -> bool:
        if given is None:
            return False
        rows = _collect_rows(given.rows)
        return rows == self.rows or (
            self.final is not None
            and self.ranked is not None
            and _is_tied_choice(rows, self.ranked, self.final)
        )

    def has_nodes_of(self, reply: Reply) -> bool:
        """Whether a reply's nodes are the rows; of those held back only the first are known."""
        found = reply.answers or reply.nearest
        given = _collect_rows((answer.node,) for answer in found)
        return bool(given) and (given == self.rows if reply.answers else given <= self.rows)


def _collect_rows(rows: Iterable[Sequence[Cell]]) -> frozenset[Row]:
    return frozenset(tuple(map(make_cell_key, row)) for row in rows)


def _is_tied_choice(given: frozenset[Row], ranked: Rows, final: FinalReturn) -> bool:
    """Whether the given rows are a right choice among the ranked ones.

    They must hold every returned row that is not tied with the first or last one returned, where
    the choice begins and ends, and may hold any of their ties.
    """
    window = final.find_window(ranked)
    if not window:
        return not given
    split = [final.split_row(row) for row in ranked.rows]
    edges = [split[window[-1]][1], *([split[window[0]][1]] if final.skip else [])]
    taken = [split[index] for index in window]
    sure = _collect_rows(row for row, keys in taken if keys not in edges)
    ties = _collect_rows(row for row, keys in split if keys in edges)
    return sure <= given <= sure | ties and 1 <= len(given) <= len(window)
