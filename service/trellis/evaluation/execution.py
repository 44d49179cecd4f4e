"""Execution match: whether a query returns what the gold query does, and which candidates run.

Queries match if their sets of rows are equal; columns compare by position, nodes by element id. If
the gold query sorts and limits, rows tied with its last row count as right too.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Hashable
from dataclasses import dataclass, replace

from trellis.automata.cypher.lexer import Token, tokens
from trellis.domain.cypher import CypherQuery, Most, Rows
from trellis.domain.errors import GraphTimeoutError, QueryError, RefusedQueryError
from trellis.domain.ports import Queries
from trellis.domain.reply import Reply
from trellis.steps.queries.rank_queries import said

Row = tuple[Hashable, ...]


@dataclass(frozen=True, slots=True)
class Executed:
    """The results of running a reply's queries: whether the rows match gold's (None without gold),
    and for each candidate whether it runs, and whether its rows match (empty without gold)."""

    match: bool | None = None
    ran: tuple[bool, ...] = ()
    right: tuple[bool, ...] = ()


async def executed(queries: Queries, gold: str | None, reply: Reply | None) -> Executed:
    """Run a reply's query and its candidates, and compare their rows with the gold query's.

    Raises the error of a gold query that does not run.
    """
    candidates = [
        candidate.query
        for candidate in (reply.candidates if reply else ())
        if isinstance(candidate.query, CypherQuery)
    ]
    most = Most() if gold else Most(rows=1)
    results = await asyncio.gather(*(_rows(queries, query, most) for query in candidates))
    ran = tuple(rows is not None for rows in results)
    if not gold:
        return Executed(None, ran)
    wanted = await _Wanted.of(queries, gold)
    answered = CypherQuery(reply.cypher, reply.params) if reply and reply.cypher else None
    given = await _rows(queries, answered, most) if answered else None
    return Executed(wanted.match(given), ran, tuple(map(wanted.match, results)))


async def _rows(queries: Queries, query: CypherQuery, most: Most) -> Rows | None:
    """The rows of a query; None if it is refused, fails or takes too long."""
    try:
        return await queries.run(query, most)
    except (RefusedQueryError, QueryError, GraphTimeoutError):
        return None


@dataclass(frozen=True, slots=True)
class _Wanted:
    """The rows of a gold query; if it sorts and limits, also all the rows that it chooses from."""

    rows: frozenset[Row]
    ranked: Rows | None = None
    count: int = 0

    @classmethod
    async def of(cls, queries: Queries, gold: str) -> _Wanted:
        query = CypherQuery(gold)
        rows, limit = _set(await queries.run(query)), _sorted_limit(gold)
        if limit is None:
            return cls(rows)
        return cls(rows, await queries.run(_keyed(query, limit)), limit.rows)

    def match(self, given: Rows | None) -> bool:
        if given is None:
            return False
        rows = _set(given)
        return rows == self.rows or (
            self.ranked is not None and _tied(rows, self.ranked, self.count)
        )


def _set(rows: Rows) -> frozenset[Row]:
    return frozenset(tuple(map(said, row)) for row in rows.rows)


@dataclass(frozen=True, slots=True)
class _Limit:
    """The sorted limit of a query: where ORDER stands, the sort key and direction, the rows."""

    order: int
    by: str
    way: str
    rows: int


def _sorted_limit(text: str) -> _Limit | None:
    """The order and limit at the end of a query that has both and sorts by one key."""
    query = list(tokens(text))
    words = {token.value.upper(): at for at, token in enumerate(query) if token.kind == "name"}
    if not {"ORDER", "LIMIT", "BY"} <= words.keys() or words["LIMIT"] < words["ORDER"]:
        return None
    order, limit = words["ORDER"], words["LIMIT"]
    ways = [token for token in query[order:limit] if _way(token)]
    end = ways[0].at if ways else query[limit].at
    by = text[query[words["BY"]].at + 2 : end].strip()
    number = query[limit + 1].value
    if "," in by or not number.isdigit():
        return None
    return _Limit(query[order].at, by, ways[0].value if ways else "ASC", int(number))


def _way(token: Token) -> bool:
    return any(token.is_word(word) for word in ("ASC", "DESC", "ASCENDING", "DESCENDING"))


def _keyed(gold: CypherQuery, limit: _Limit) -> CypherQuery:
    """The gold query without its limit, with its sort key as a last column."""
    text = f"{gold.text[: limit.order].rstrip()}, {limit.by} AS sortedBy"
    return replace(gold, text=f"{text}\nORDER BY sortedBy {limit.way}")


def _tied(given: frozenset[Row], ranked: Rows, count: int) -> bool:
    """Whether the given rows are a right choice of `count` among the ranked ones.

    They must hold every row ranked before the ties of the last one, and may hold any of its ties.
    """
    rows = [tuple(map(said, row)) for row in ranked.rows]
    if not rows:
        return not given
    taken = rows[:count]
    last = taken[-1][-1]
    sure = {row[:-1] for row in taken if row[-1] != last}
    ties = {row[:-1] for row in rows if row[-1] == last}
    distinct = len(Counter(row[:-1] for row in taken))
    return sure <= given <= sure | ties and min(1, distinct) <= len(given) <= count
