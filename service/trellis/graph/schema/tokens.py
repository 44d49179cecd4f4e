"""Reads the labels and relationship types in use, their counts, indexes and constraints."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from trellis.domain.identifiers import quote_name
from trellis.graph.database.connection import GraphConnection, Row
from trellis.graph.database.names import META, is_reserved

_NAMES = f"""
CALL () {{ CALL db.labels() YIELD label RETURN collect(label) AS labels }}
CALL () {{
  CALL db.relationshipTypes() YIELD relationshipType AS type RETURN collect(type) AS types
}}
RETURN labels, types, COUNT {{ MATCH (n) }} - COUNT {{ MATCH (m:{META}) }} AS nodes,
       COUNT {{ MATCH ()-[r]->() }} AS edges
"""
_INDEXES = """
SHOW INDEXES YIELD type, entityType, labelsOrTypes, properties, owningConstraint, state
WHERE type IN ['RANGE', 'TEXT'] AND state = 'ONLINE' AND size(properties) = 1
RETURN type, entityType, labelsOrTypes[0] AS kind, properties[0] AS property
"""
_CONSTRAINTS = """
SHOW CONSTRAINTS YIELD type, entityType, labelsOrTypes, properties
WHERE (type CONTAINS 'UNIQUENESS' OR type CONTAINS 'KEY') AND size(properties) = 1
RETURN entityType, labelsOrTypes[0] AS kind, properties[0] AS property
"""
_AT_ONCE = 4  # queries in flight
_UNITED = 5  # queries that are joined; planning a query of more is slow
_COUNTS = 20  # count-store look-ups in one query; planning a query of more is slow


@dataclass(frozen=True, slots=True)
class SchemaTokens:
    """The labels and types in use with their counts, without reserved ones.

    `nodes` and `edges` count all. `indexed` and `unique` hold triples of NODE or RELATIONSHIP,
    label or type, and property.
    """

    labels: Mapping[str, int]
    types: Mapping[str, int]
    nodes: int
    edges: int
    indexed: frozenset[tuple[str, str, str]]
    unique: frozenset[tuple[str, str, str]]


async def read_schema_tokens(connection: GraphConnection) -> SchemaTokens:
    """Read all labels and types with their counts from Neo4j's token and count stores, without
    reading any node."""
    names, indexes, constraints = await asyncio.gather(
        connection.read_rows(_NAMES),
        connection.read_rows(_INDEXES),
        connection.read_rows(_CONSTRAINTS),
    )
    labels = _drop_reserved(names[0]["labels"])
    types = _drop_reserved(names[0]["types"])
    counts = await read_counts(
        connection,
        [f"(n:{quote_name(name)})" for name in labels]
        + [f"()-[r:{quote_name(t)}]->()" for t in types],
    )
    of_labels, of_types = counts[: len(labels)], counts[len(labels) :]
    return SchemaTokens(
        {name: count for name, count in zip(labels, of_labels, strict=True) if count},
        {name: count for name, count in zip(types, of_types, strict=True) if count},
        names[0]["nodes"],
        names[0]["edges"],
        _collect_property_keys(indexes),
        _collect_property_keys(constraints),
    )


async def read_counts(connection: GraphConnection, patterns: Sequence[str]) -> list[int]:
    """How often each pattern occurs; a pattern with one label or type costs no scan."""
    parts = [patterns[at : at + _COUNTS] for at in range(0, len(patterns), _COUNTS)]
    listed = [", ".join(f"COUNT {{ MATCH {pattern} }}" for pattern in part) for part in parts]
    rows = await _read_all_rows(connection, [f"RETURN [{counts}] AS counts" for counts in listed])
    return [count for row in rows for count in row["counts"]]


async def read_united_rows(
    connection: GraphConnection, queries: Sequence[str], **parameters: Any
) -> list[Row]:
    """The rows of queries of the same columns, some of which are joined by UNION ALL."""
    parts = (queries[at : at + _UNITED] for at in range(0, len(queries), _UNITED))
    united = [" UNION ALL ".join(part) for part in parts]
    return await _read_all_rows(connection, united, **parameters)


async def _read_all_rows(
    connection: GraphConnection, queries: Iterable[str], **parameters: Any
) -> list[Row]:
    """The rows of several queries, in the queries' order; a few run at the same time."""
    turns = asyncio.Semaphore(_AT_ONCE)

    async def read_one(query: str) -> list[Row]:
        async with turns:
            return await connection.read_rows(query, **parameters)

    results = await asyncio.gather(*(read_one(query) for query in queries))
    return [row for rows in results for row in rows]


def _drop_reserved(names: Iterable[str]) -> list[str]:
    return sorted(name for name in names if not is_reserved(name))


def _collect_property_keys(rows: Iterable[Row]) -> frozenset[tuple[str, str, str]]:
    return frozenset((r["entityType"], r["kind"], r["property"]) for r in rows)
