"""Reads which labels each relationship type joins, in which direction, and how often.

For a graph too large to read whole, the count store gives the labels at either end of a type and
their counts. That settles every type with a single label at one end. For the other types, a sample
shows which labels go together.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from trellis.domain.graphs.schema import RelationshipKind
from trellis.domain.identifiers import quote_name
from trellis.graph.database.connection import GraphConnection, Row
from trellis.graph.database.names import is_reserved
from trellis.graph.schema.sampling import Sample, read_ends, read_ends_of_types
from trellis.graph.schema.tokens import SchemaTokens, read_counts

_VISIBLE = "CALL db.schema.visualization() YIELD nodes, relationships RETURN nodes, relationships"
_MOST_ASKED = 10_000  # counts that are read from the count store
_FEW = 100  # a type with fewer relationships in the sample is sampled on its own
_MOST_LOOKED_AT = 300  # types that are sampled on their own

Pair = tuple[str, str, str]
"""A type, its start label, its end label; an empty label stands for nodes without any."""


@dataclass(slots=True)
class _EndLabels:
    """The labels at either end of a type."""

    starts: set[str] = field(default_factory=set)
    ends: set[str] = field(default_factory=set)

    @property
    def is_settled(self) -> bool:
        return len(self.starts) == 1 or len(self.ends) == 1


async def read_pairs(
    connection: GraphConnection, sample: Sample, tokens: SchemaTokens
) -> tuple[tuple[RelationshipKind, ...], bool]:
    """All pairs with their counts, and whether some counts are estimates."""
    if sample.is_whole:
        return _build_kinds(_count_pairs(await read_ends(connection, sample))), False
    ends = await _read_end_labels(connection, tokens)
    open_ends = [kind for kind in tokens.types if kind not in ends or not ends[kind].is_settled]
    settled = await _count_settled_pairs(
        connection, {k: ends[k] for k in ends if ends[k].is_settled}, tokens
    )
    seen = await _estimate_pairs(connection, sample, open_ends, tokens) if open_ends else {}
    return _build_kinds({**settled, **seen}), bool(open_ends)


async def _read_end_labels(
    connection: GraphConnection, tokens: SchemaTokens
) -> dict[str, _EndLabels]:
    """The labels at the ends of each type; empty if some nodes have no label."""
    if sum(tokens.labels.values()) < tokens.nodes:
        return {}
    ends_by_type: dict[str, _EndLabels] = defaultdict(_EndLabels)
    for row in await connection.read_rows(_VISIBLE):
        labels = {node.element_id: next(iter(node.labels)) for node in row["nodes"]}
        for relationship in row["relationships"]:
            start, end = (labels[node.element_id] for node in relationship.nodes)
            if not (is_reserved(start) or is_reserved(end)):
                ends_by_type[relationship.type].starts.add(start)
                ends_by_type[relationship.type].ends.add(end)
    return {kind: ends for kind, ends in ends_by_type.items() if kind in tokens.types}


async def _count_settled_pairs(
    connection: GraphConnection, ends: Mapping[str, _EndLabels], tokens: SchemaTokens
) -> dict[Pair, int]:
    """Count the pairs of types with a single label at one end, by the labels at the other end."""
    pairs = [(k, a, b) for k, both in ends.items() for a in both.starts for b in both.ends]
    several = [pair for pair in pairs if len(ends[pair[0]].starts) + len(ends[pair[0]].ends) > 2]
    counts = await read_counts(
        connection, [_build_pattern(pair, ends[pair[0]]) for pair in several[:_MOST_ASKED]]
    )
    known = dict(zip(several, counts, strict=False))
    return {pair: known.get(pair, tokens.types[pair[0]]) for pair in pairs}


def _build_pattern(pair: Pair, ends: _EndLabels) -> str:
    kind, start, end = map(quote_name, pair)
    many_starts = len(ends.starts) > 1
    return f"(:{start})-[:{kind}]->()" if many_starts else f"()-[:{kind}]->(:{end})"


async def _estimate_pairs(
    connection: GraphConnection, sample: Sample, types: Sequence[str], tokens: SchemaTokens
) -> dict[Pair, int]:
    """Estimate how often the pairs of some types occur: their counts in the sample, scaled up."""
    rows = [row for row in await read_ends(connection, sample) if row["type"] in set(types)]
    seen = _count_per_type(rows)
    rare = [kind for kind in types if seen[kind] < min(_FEW, tokens.types[kind])]
    if resampled := sorted(rare, key=lambda kind: -tokens.types[kind])[:_MOST_LOOKED_AT]:
        rows = [row for row in rows if row["type"] not in resampled]
        rows += await read_ends_of_types(connection, resampled)
        seen = _count_per_type(rows)
    totals = _count_pairs(rows)
    return {p: round(n * tokens.types[p[0]] / seen[p[0]]) for p, n in totals.items()}


def _count_per_type(rows: Iterable[Row]) -> Counter[str]:
    seen: Counter[str] = Counter()
    for row in rows:
        seen[row["type"]] += row["count"]
    return seen


def _count_pairs(rows: Iterable[Row]) -> Counter[Pair]:
    totals: Counter[Pair] = Counter()
    for row in rows:
        for start in _filter_labels(row["starts"]):
            for end in _filter_labels(row["ends"]):
                totals[row["type"], start, end] += row["count"]
    return totals


def _filter_labels(labels: Sequence[str]) -> list[str]:
    """The labels that are not reserved; one empty label if there are none."""
    return [label for label in labels if not is_reserved(label)] or [""]


def _build_kinds(totals: Mapping[Pair, int]) -> tuple[RelationshipKind, ...]:
    kinds = (RelationshipKind(*pair, count) for pair, count in sorted(totals.items()))
    return tuple(kind for kind in kinds if not is_reserved(kind.type))
