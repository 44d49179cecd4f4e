"""Execution match: whether a query returns what the gold query does, and which candidates run.

The sets of rows are equal, columns by position, nodes by element id. Where the gold sorts and
limits, rows that are tied with its last one are as right as those that it happens to give.
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
    """What running came to: whether the rows match gold's (None without gold), and for each
    candidate query whether it runs, and whether its rows match (none without gold)."""

    match: bool | None = None
    ran: tuple[bool, ...] = ()
    right: tuple[bool, ...] = ()


async def executed(queries: Queries, gold: str | None, reply: Reply | None) -> Executed:
    """A reply's query beside the gold one; a gold query that does not run is an error."""
    candidates = [
        one.query
        for one in (reply.candidates if reply else ())
        if isinstance(one.query, CypherQuery)
    ]
    most = Most() if gold else Most(rows=1)
    found = await asyncio.gather(*(_rows(queries, query, most) for query in candidates))
    ran = tuple(rows is not None for rows in found)
    if not gold:
        return Executed(None, ran)
    wanted = await _Wanted.of(queries, gold)
    answered = CypherQuery(reply.cypher, reply.params) if reply and reply.cypher else None
    given = await _rows(queries, answered, most) if answered else None
    return Executed(wanted.match(given), ran, tuple(map(wanted.match, found)))


async def _rows(queries: Queries, query: CypherQuery, most: Most) -> Rows | None:
    """What a query gives; None where it does not run."""
    try:
        return await queries.run(query, most)
    except (RefusedQueryError, QueryError, GraphTimeoutError):
        return None


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What a gold query gives, and where it sorts and limits, all that it chooses from."""

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
    """Where a query's order and limit stand, what it sorts by, and how many rows it takes."""

    order: int
    by: str
    way: str
    rows: int


def _sorted_limit(text: str) -> _Limit | None:
    """The order and limit at the end of a query that has both."""
    read = list(tokens(text))
    words = {token.value.upper(): at for at, token in enumerate(read) if token.kind == "name"}
    if not {"ORDER", "LIMIT", "BY"} <= words.keys() or words["LIMIT"] < words["ORDER"]:
        return None
    order, limit = words["ORDER"], words["LIMIT"]
    ways = [token for token in read[order:limit] if _way(token)]
    end = ways[0].at if ways else read[limit].at
    by = text[read[words["BY"]].at + 2 : end].strip()
    number = read[limit + 1].value
    if "," in by or not number.isdigit():
        return None
    return _Limit(read[order].at, by, ways[0].value if ways else "ASC", int(number))


def _way(token: Token) -> bool:
    return any(token.is_word(word) for word in ("ASC", "DESC", "ASCENDING", "DESCENDING"))


def _keyed(gold: CypherQuery, limit: _Limit) -> CypherQuery:
    """The gold query without its limit, what it sorts by as a last column."""
    text = f"{gold.text[: limit.order].rstrip()}, {limit.by} AS sortedBy"
    return replace(gold, text=f"{text}\nORDER BY sortedBy {limit.way}")


def _tied(given: frozenset[Row], ranked: Rows, count: int) -> bool:
    """Whether the rows given are a right choice among all in their order: those before the last
    one's ties all, and of its ties as many as are left."""
    rows = [tuple(map(said, row)) for row in ranked.rows]
    if not rows:
        return not given
    taken = rows[:count]
    last = taken[-1][-1]
    sure = {row[:-1] for row in taken if row[-1] != last}
    ties = {row[:-1] for row in rows if row[-1] == last}
    distinct = len(Counter(row[:-1] for row in taken))
    return sure <= given <= sure | ties and min(1, distinct) <= len(given) <= count
