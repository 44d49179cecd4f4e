"""Which labels each relationship type joins, in which direction, and how often.

Of a graph too large to be looked at whole, the count store says which labels stand at either end
of a type and how often: that settles every type of which one end has one label. Of the others a
sample says which labels go together.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from trellis.domain.identifiers import quoted
from trellis.domain.schema import RelationshipKind
from trellis.graph.connection import GraphConnection, Row
from trellis.graph.names import is_reserved
from trellis.graph.schema.sampling import Sample, read_ends, read_ends_of
from trellis.graph.schema.tokens import Tokens, read_counts

_VISIBLE = "CALL db.schema.visualization() YIELD nodes, relationships RETURN nodes, relationships"
_MOST_ASKED = 10_000  # counts of labels at one end
_FEW = 100  # relationships of a type in the sample; of types with fewer more are looked at
_MOST_LOOKED_AT = 300  # types

Pair = tuple[str, str, str]
"""A type, its start label, its end label; an empty label stands for nodes without any."""


@dataclass(slots=True)
class _Ends:
    """The labels at either end of a type."""

    starts: set[str] = field(default_factory=set)
    ends: set[str] = field(default_factory=set)

    @property
    def settled(self) -> bool:
        return len(self.starts) == 1 or len(self.ends) == 1


async def read_pairs(
    connection: GraphConnection, sample: Sample, tokens: Tokens
) -> tuple[tuple[RelationshipKind, ...], bool]:
    """All pairs with how often they occur, and whether some of that is an estimate."""
    if sample.whole:
        return _kinds(_totals(await read_ends(connection, sample))), False
    ends = await _ends(connection, tokens)
    open_ends = [kind for kind in tokens.types if kind not in ends or not ends[kind].settled]
    settled = await _settled(connection, {k: ends[k] for k in ends if ends[k].settled}, tokens)
    seen = await _sampled(connection, sample, open_ends, tokens) if open_ends else {}
    return _kinds({**settled, **seen}), bool(open_ends)


async def _ends(connection: GraphConnection, tokens: Tokens) -> dict[str, _Ends]:
    """Of each type the labels at its ends, from the count store; nothing where nodes have none."""
    if sum(tokens.labels.values()) < tokens.nodes:
        return {}
    found: dict[str, _Ends] = defaultdict(_Ends)
    for row in await connection.read(_VISIBLE):
        labels = {node.element_id: next(iter(node.labels)) for node in row["nodes"]}
        for one in row["relationships"]:
            start, end = (labels[node.element_id] for node in one.nodes)
            if not (is_reserved(start) or is_reserved(end)):
                found[one.type].starts.add(start)
                found[one.type].ends.add(end)
    return {kind: ends for kind, ends in found.items() if kind in tokens.types}


async def _settled(
    connection: GraphConnection, ends: Mapping[str, _Ends], tokens: Tokens
) -> dict[Pair, int]:
    """The pairs of types of which one end has one label: as often as the other end's labels."""
    pairs = [(k, a, b) for k, both in ends.items() for a in both.starts for b in both.ends]
    asked = [pair for pair in pairs if len(ends[pair[0]].starts) + len(ends[pair[0]].ends) > 2]
    counts = await read_counts(
        connection, [_one_sided(pair, ends[pair[0]]) for pair in asked[:_MOST_ASKED]]
    )
    known = dict(zip(asked, counts, strict=False))
    return {pair: known.get(pair, tokens.types[pair[0]]) for pair in pairs}


def _one_sided(pair: Pair, both: _Ends) -> str:
    kind, start, end = map(quoted, pair)
    many_starts = len(both.starts) > 1
    return f"(:{start})-[:{kind}]->()" if many_starts else f"()-[:{kind}]->(:{end})"


async def _sampled(
    connection: GraphConnection, sample: Sample, types: Sequence[str], tokens: Tokens
) -> dict[Pair, int]:
    """The pairs of some types, as the sample shows them, scaled to all their relationships."""
    rows = [row for row in await read_ends(connection, sample) if row["type"] in set(types)]
    seen = _per_type(rows)
    rare = [kind for kind in types if seen[kind] < min(_FEW, tokens.types[kind])]
    if looked_at := sorted(rare, key=lambda kind: -tokens.types[kind])[:_MOST_LOOKED_AT]:
        rows = [row for row in rows if row["type"] not in looked_at]
        rows += await read_ends_of(connection, looked_at)
        seen = _per_type(rows)
    totals = _totals(rows)
    return {p: round(n * tokens.types[p[0]] / seen[p[0]]) for p, n in totals.items()}


def _per_type(rows: Iterable[Row]) -> Counter[str]:
    seen: Counter[str] = Counter()
    for row in rows:
        seen[row["type"]] += row["count"]
    return seen


def _totals(rows: Iterable[Row]) -> Counter[Pair]:
    totals: Counter[Pair] = Counter()
    for row in rows:
        for start in _shown(row["starts"]):
            for end in _shown(row["ends"]):
                totals[row["type"], start, end] += row["count"]
    return totals


def _shown(labels: Sequence[str]) -> list[str]:
    """The labels that are not ours."""
    return [label for label in labels if not is_reserved(label)] or [""]


def _kinds(totals: Mapping[Pair, int]) -> tuple[RelationshipKind, ...]:
    kinds = (RelationshipKind(*pair, count) for pair, count in sorted(totals.items()))
    return tuple(kind for kind in kinds if not is_reserved(kind.type))
