"""The live schema, cheap on any size: counted where that is free or small, else sampled."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from hashlib import sha256

from trellis.domain.schema import LabelKind, PropertyKind, RelationshipKind, Schema
from trellis.graph.connection import GraphConnection, Row
from trellis.graph.names import META, is_reserved, quoted
from trellis.graph.state import read_state

_COUNTED = 500_000  # up to so many relationships are looked at one by one
_SAMPLE = 2_000  # nodes of a label that are looked at for properties
_AT_ONCE = 50  # count-store queries in one round trip

_SIZES = f"""
RETURN COUNT {{ MATCH (n) }} - COUNT {{ MATCH (m:{META}) }} AS nodes,
       COUNT {{ MATCH ()-[r]->() }} AS edges
"""
_ENDS = """
MATCH (a)-[r]->(b)
RETURN labels(a) AS starts, type(r) AS type, labels(b) AS ends, count(*) AS count
"""
_SAMPLED_ENDS = """
MATCH (a)-[r:{type}]->(b) WITH a, r, b LIMIT $limit
RETURN labels(a) AS starts, type(r) AS type, labels(b) AS ends, count(*) AS count
"""
_PROPERTIES = """
MATCH (n:{label}) WITH n LIMIT $limit
UNWIND [key IN keys(n) WHERE NOT toLower(key) STARTS WITH '_trellis'] AS property
WITH property, valueType(n[property]) AS type, count(*) AS count
ORDER BY count DESC, type
RETURN {text} AS label, property, head(collect(type)) AS type ORDER BY property
"""


async def live_schema(connection: GraphConnection) -> Schema:
    """Labels, relationship types with their ends, properties; counts are estimates where sampled.

    The fingerprint covers names and types, not counts.
    """
    sizes = (await connection.read(_SIZES))[0]
    state = await read_state(connection)
    labels = await _labels(connection, state.naming)
    relationships = await _relationships(connection, sizes["edges"])
    return Schema(
        labels, relationships, sizes["nodes"], sizes["edges"], _print(labels, relationships)
    )


async def _labels(connection: GraphConnection, naming: Mapping[str, str]) -> tuple[LabelKind, ...]:
    names = await _visible(connection, "CALL db.labels() YIELD label AS name RETURN name")
    counts = await _counts(connection, {name: f"(n:{quoted(name)})" for name in names})
    present = [name for name in names if counts[name]]
    properties: dict[str, list[PropertyKind]] = {name: [] for name in present}
    for name in present:
        query = _PROPERTIES.format(label=quoted(name), text="$label")
        for row in await connection.read(query, limit=_SAMPLE, label=name):
            kind = row["type"].replace(" NOT NULL", "")
            properties[name].append(PropertyKind(row["property"], kind))
    return tuple(LabelKind(n, counts[n], naming.get(n), tuple(properties[n])) for n in present)


async def _relationships(connection: GraphConnection, edges: int) -> tuple[RelationshipKind, ...]:
    totals: Counter[tuple[str, str, str]] = Counter()
    rows = await (_all_ends(connection) if edges <= _COUNTED else _sampled_ends(connection))
    for row in rows:
        for start in _shown(row["starts"]):
            for end in _shown(row["ends"]):
                totals[row["type"], start, end] += row["count"]
    return tuple(
        RelationshipKind(kind, start, end, count)
        for (kind, start, end), count in sorted(totals.items())
        if not is_reserved(kind)
    )


async def _all_ends(connection: GraphConnection) -> Sequence[Row]:
    return await connection.read(_ENDS)


async def _sampled_ends(connection: GraphConnection) -> Sequence[Row]:
    """A sample of each type's relationships, scaled to how many it has."""
    listed = "CALL db.relationshipTypes() YIELD relationshipType AS name RETURN name"
    kinds = await _visible(connection, listed)
    counts = await _counts(connection, {k: f"()-[r:{quoted(k)}]->()" for k in kinds})
    limit = max(100, _COUNTED // max(1, len(kinds)))
    rows: list[Row] = []
    for kind in kinds:
        found = await connection.read(_SAMPLED_ENDS.format(type=quoted(kind)), limit=limit)
        scale = counts[kind] / max(1, sum(row["count"] for row in found))
        rows += [{**row, "count": round(row["count"] * scale)} for row in found]
    return rows


async def _visible(connection: GraphConnection, query: str) -> list[str]:
    names = [row["name"] for row in await connection.read(query)]
    return sorted(name for name in names if not is_reserved(name))


async def _counts(connection: GraphConnection, patterns: Mapping[str, str]) -> dict[str, int]:
    """How often each pattern matches, all from the count store."""
    counts: dict[str, int] = {}
    listed = list(patterns.items())
    for at in range(0, len(listed), _AT_ONCE):
        some = listed[at : at + _AT_ONCE]
        parts = [f"COUNT {{ MATCH {pattern} }} AS c{i}" for i, (_, pattern) in enumerate(some)]
        row = (await connection.read(f"RETURN {', '.join(parts)}"))[0]
        counts |= {name: row[f"c{i}"] for i, (name, _) in enumerate(some)}
    return counts


def _shown(labels: Sequence[str]) -> list[str]:
    """The labels that are not ours; the empty one stands for nodes without any."""
    return [label for label in labels if not is_reserved(label)] or [""]


def _print(labels: Sequence[LabelKind], relationships: Sequence[RelationshipKind]) -> str:
    kinds = [
        [kind.label, kind.naming, [[p.name, p.type] for p in kind.properties]] for kind in labels
    ]
    ends = [[kind.type, kind.start_label, kind.end_label] for kind in relationships]
    return sha256(json.dumps([kinds, ends]).encode()).hexdigest()[:16]
