"""Query evidence: read the relationships that a query's rows are based on.

The query's pattern is run again, with its relationships named and returned.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from trellis.automata.cypher.reading.lexer import LexerToken, split_tokens
from trellis.domain.cypher import CypherQuery, QueryLimits, triples_in
from trellis.domain.errors import GraphTimeoutError, QueryError, RefusedQueryError
from trellis.domain.facts import Fact
from trellis.domain.graph import Triple
from trellis.domain.ports import Queries

MOST_SHOWN = 100
"""The most triples that are shown as evidence of one query."""


async def read_query_evidence(queries: Queries, query: CypherQuery) -> tuple[Fact, ...]:
    """For each row of the pattern one fact of the relationships that it matches.

    At most `MOST_SHOWN` relationships in all; where the query sorts and limits, only those of its
    rows. Empty where the pattern has no relationship, or cannot be run again.
    """
    asked = return_relationships(query)
    if asked is None:
        return ()
    try:
        rows = await queries.run(asked, QueryLimits(rows=MOST_SHOWN))
    except (RefusedQueryError, QueryError, GraphTimeoutError):
        return ()
    matched = (tuple(t for cell in row for t in triples_in(cell)) for row in rows.rows)
    return tuple(map(Fact.of_triples, _take_first_rows(dict.fromkeys(matched))))


def _take_first_rows(rows: Iterable[tuple[Triple, ...]]) -> Iterator[tuple[Triple, ...]]:
    """The first rows that have at most `MOST_SHOWN` different relationships together."""
    triples = set[Triple]()
    for row in filter(None, rows):
        triples.update(row)
        if len(triples) > MOST_SHOWN:
            return
        yield row


def return_relationships(query: CypherQuery) -> CypherQuery | None:
    """The query rewritten to return its relationships; None where it has none."""
    read = list(split_tokens(query.text))
    returned = next((token.at for token in read if token.is_word("RETURN")), len(query.text))
    at = _find_unnamed_relationships(read, returned)
    if not at:
        return None
    text = query.text[:returned]
    for number, place in reversed(list(enumerate(at))):
        text = f"{text[:place]}r{number}{text[place:]}"
    names = ", ".join(f"r{number}" for number in range(len(at)))
    return replace(query, text=f"{text}RETURN {names}{_write_ending(query.text, read)}")


def _find_unnamed_relationships(query_tokens: Sequence[LexerToken], end: int) -> list[int]:
    """Offsets of the colons after `[`, where a rendered query leaves relationships unnamed."""
    pairs = pairwise(query_tokens)
    return [
        b.at for a, b in pairs if (a.value, b.value, b.kind) == ("[", ":", "mark") and b.at < end
    ]


def _write_ending(text: str, query_tokens: Sequence[LexerToken]) -> str:
    """ORDER BY and LIMIT, where these stay valid after the returned items are replaced."""
    ordered = next((token.at for token in query_tokens if token.is_word("ORDER")), None)
    grouped = any(token.is_word(word) for token in query_tokens for word in _AGGREGATES)
    if ordered is None or grouped:
        return f"\nLIMIT {MOST_SHOWN}"
    limited = any(token.is_word("LIMIT") for token in query_tokens)
    return f"\n{text[ordered:]}" if limited else f"\n{text[ordered:]}\nLIMIT {MOST_SHOWN}"


_AGGREGATES = ("COUNT", "MIN", "MAX", "SUM", "AVG", "COLLECT")
