"""Execution match: whether a query returns what the gold query does, and which candidates run.

Queries match if their sets of rows are equal; columns compare by position, nodes by element id. If
the gold query sorts and limits, rows tied with its last row count as right too.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Hashable
from dataclasses import dataclass, replace

from trellis.automata.cypher.lexer import LexerToken, split_tokens
from trellis.domain.cypher import CypherQuery, QueryLimits, Rows
from trellis.domain.errors import GraphTimeoutError, QueryError, RefusedQueryError
from trellis.domain.ports import Queries
from trellis.domain.reply import Reply
from trellis.steps.queries.rank_queries import make_cell_key

Row = tuple[Hashable, ...]


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
    results = await asyncio.gather(*(_run_query(queries, query, limits) for query in candidates))
    ran = tuple(rows is not None for rows in results)
    if not gold:
        return ExecutionResult(None, ran)
    wanted = await _GoldRows.of(queries, gold)
    answered = CypherQuery(reply.cypher, reply.params) if reply and reply.cypher else None
    reply_rows = await _run_query(queries, answered, limits) if answered else None
    return ExecutionResult(
        wanted.is_matched_by(reply_rows), ran, tuple(map(wanted.is_matched_by, results))
    )


async def _run_query(queries: Queries, query: CypherQuery, limits: QueryLimits) -> Rows | None:
    """The rows of a query; None if it is refused, fails or takes too long."""
    try:
        return await queries.run(query, limits)
    except (RefusedQueryError, QueryError, GraphTimeoutError):
        return None


@dataclass(frozen=True, slots=True)
class _GoldRows:
    """The rows of a gold query; if it sorts and limits, also all the rows that it chooses from."""

    rows: frozenset[Row]
    ranked: Rows | None = None
    count: int = 0

    @classmethod
    async def of(cls, queries: Queries, gold: str) -> _GoldRows:
        query = CypherQuery(gold)
        rows, limit = _collect_rows(await queries.run(query)), _find_sorted_limit(gold)
        if limit is None:
            return cls(rows)
        return cls(rows, await queries.run(_add_sort_key(query, limit)), limit.rows)

    def is_matched_by(self, given: Rows | None) -> bool:
        if given is None:
            return False
        rows = _collect_rows(given)
        return rows == self.rows or (
            self.ranked is not None and _is_tied_choice(rows, self.ranked, self.count)
        )


def _collect_rows(rows: Rows) -> frozenset[Row]:
    return frozenset(tuple(map(make_cell_key, row)) for row in rows.rows)


@dataclass(frozen=True, slots=True)
class _SortedLimit:
    """The sorted limit of a query: where ORDER stands, the sort key and direction, the rows."""

    order_start: int
    key: str
    direction: str
    rows: int


def _find_sorted_limit(text: str) -> _SortedLimit | None:
    """The order and limit at the end of a query that has both and sorts by one key."""
    query = list(split_tokens(text))
    words = {token.value.upper(): at for at, token in enumerate(query) if token.kind == "name"}
    if not {"ORDER", "LIMIT", "BY"} <= words.keys() or words["LIMIT"] < words["ORDER"]:
        return None
    order, limit = words["ORDER"], words["LIMIT"]
    directions = [token for token in query[order:limit] if _is_direction(token)]
    end = directions[0].at if directions else query[limit].at
    by = text[query[words["BY"]].at + 2 : end].strip()
    number = query[limit + 1].value
    if "," in by or not number.isdigit():
        return None
    return _SortedLimit(
        query[order].at, by, directions[0].value if directions else "ASC", int(number)
    )


def _is_direction(token: LexerToken) -> bool:
    return any(token.is_word(word) for word in ("ASC", "DESC", "ASCENDING", "DESCENDING"))


def _add_sort_key(gold: CypherQuery, limit: _SortedLimit) -> CypherQuery:
    """The gold query without its limit, with its sort key as a last column."""
    text = f"{gold.text[: limit.order_start].rstrip()}, {limit.key} AS sortedBy"
    return replace(gold, text=f"{text}\nORDER BY sortedBy {limit.direction}")


def _is_tied_choice(given: frozenset[Row], ranked: Rows, count: int) -> bool:
    """Whether the given rows are a right choice of `count` among the ranked ones.

    They must hold every row ranked before the ties of the last one, and may hold any of its ties.
    """
    rows = [tuple(map(make_cell_key, row)) for row in ranked.rows]
    if not rows:
        return not given
    taken = rows[:count]
    last = taken[-1][-1]
    sure = {row[:-1] for row in taken if row[-1] != last}
    ties = {row[:-1] for row in rows if row[-1] == last}
    distinct = len(Counter(row[:-1] for row in taken))
    return sure <= given <= sure | ties and min(1, distinct) <= len(given) <= count
