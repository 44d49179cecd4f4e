"""Which labels each relationship type joins, in which direction, and how often."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from trellis.domain.schema import RelationshipKind
from trellis.graph.connection import GraphConnection, Row
from trellis.graph.names import is_reserved, quoted
from trellis.graph.schema.tokens import Tokens, read_all, read_counts, united

_COUNTED = 200_000  # up to so many relationships are looked at one by one
_SAMPLE = 300_000  # relationships that are looked at beyond that, of all types together
_LEAST, _MOST = 50, 2_000  # of one type
_AT_ONCE = 25  # types in one query
_LOOKED_UP = 20_000  # count-store look-ups for labels that a sample may have missed
_MISSED = 500  # labels so found that are looked at
_OF_A_MISSED = 20  # their relationships

_ENDS = """
MATCH (a)-[r]->(b)
RETURN type(r) AS type, labels(a) AS starts, labels(b) AS ends, size(keys(r)) > 0 AS has,
       count(*) AS count
"""
_SAMPLED = """
MATCH {pattern} WITH a, r, b LIMIT $limit
RETURN type(r) AS type, labels(a) AS starts, labels(b) AS ends, size(keys(r)) > 0 AS has,
       count(*) AS count
"""

Pair = tuple[str, str, str]
End = tuple[str, str, bool]
"""A type, a label, and whether the label is at its start."""


@dataclass(frozen=True, slots=True)
class Pairs:
    """The kinds of relationships; `having`: the types with properties; counts may be estimates."""

    kinds: tuple[RelationshipKind, ...]
    having: tuple[str, ...]
    estimated: bool


async def read_pairs(connection: GraphConnection, tokens: Tokens) -> Pairs:
    """All pairs of labels, counted on graphs of up to 200,000 relationships.

    On larger ones 300,000 relationships are looked at, as many of each type; of a type with more
    than that, labels at its ends that the sample lacks are asked of the count store.
    """
    if tokens.edges <= _COUNTED:
        rows = await connection.read(_ENDS)
        return _pairs(_totals(rows), rows, estimated=False)
    limit = min(_MOST, max(_LEAST, _SAMPLE // max(1, len(tokens.types))))
    patterns = [f"(a)-[r:{quoted(kind)}]->(b)" for kind in tokens.types]
    rows = await _sample(connection, patterns, limit)
    totals = _scaled(rows, tokens.types)
    large = [kind for kind, count in tokens.types.items() if count > limit]
    missed = await _missed(connection, totals, large, tokens)
    return _pairs({**missed, **totals}, rows, estimated=bool(large))


async def _sample(connection: GraphConnection, patterns: Sequence[str], limit: int) -> list[Row]:
    queries = [_SAMPLED.format(pattern=pattern) for pattern in patterns]
    return await read_all(connection, united(queries, _AT_ONCE), limit=limit)


def _totals(rows: Iterable[Row]) -> Counter[Pair]:
    totals: Counter[Pair] = Counter()
    for row in rows:
        for start in _shown(row["starts"]):
            for end in _shown(row["ends"]):
                totals[row["type"], start, end] += row["count"]
    return totals


def _scaled(rows: Sequence[Row], counts: Mapping[str, int]) -> dict[Pair, int]:
    """What the sample shows, as it would be for all relationships of a type."""
    seen: Counter[str] = Counter()
    for row in rows:
        seen[row["type"]] += row["count"]
    return {
        pair: round(count * counts[pair[0]] / seen[pair[0]])
        for pair, count in _totals(rows).items()
    }


async def _missed(
    connection: GraphConnection, known: Mapping[Pair, int], types: Sequence[str], tokens: Tokens
) -> dict[Pair, int]:
    """Pairs with a label at an end that the sample of its type lacks: the count store has those."""
    ends = [(kind, label, out) for kind in types for label in tokens.labels for out in (True, False)]
    if len(ends) > _LOOKED_UP:
        return {}
    counts = await read_counts(connection, [_one_sided(*end) for end in ends])
    seen = {(kind, label, True) for kind, label, _ in known}
    seen |= {(kind, label, False) for kind, _, label in known}
    missed = {end: n for end, n in zip(ends, counts, strict=True) if n and end not in seen}
    chosen = sorted(missed, key=lambda end: -missed[end])[:_MISSED]
    rows = await _sample(connection, [_named(*end) for end in chosen], _OF_A_MISSED)
    return _scaled(rows, _at_least(chosen, missed))


def _at_least(chosen: Iterable[End], counts: Mapping[End, int]) -> dict[str, int]:
    totals: dict[str, int] = defaultdict(int)
    for kind, label, out in chosen:
        totals[kind] += counts[kind, label, out]
    return totals


def _one_sided(kind: str, label: str, out: bool) -> str:
    start, end = (f":{quoted(label)}", "") if out else ("", f":{quoted(label)}")
    return f"({start})-[:{quoted(kind)}]->({end})"


def _named(kind: str, label: str, out: bool) -> str:
    start, end = (f"a:{quoted(label)}", "b") if out else ("a", f"b:{quoted(label)}")
    return f"({start})-[r:{quoted(kind)}]->({end})"


def _pairs(totals: Mapping[Pair, int], rows: Iterable[Row], *, estimated: bool) -> Pairs:
    kinds = (RelationshipKind(*pair, count) for pair, count in sorted(totals.items()))
    having = sorted({row["type"] for row in rows if row["has"]})
    return Pairs(
        tuple(kind for kind in kinds if not is_reserved(kind.type)),
        tuple(kind for kind in having if not is_reserved(kind)),
        estimated,
    )


def _shown(labels: Sequence[str]) -> list[str]:
    """The labels that are not ours; the empty one stands for nodes without any."""
    return [label for label in labels if not is_reserved(label)] or [""]
