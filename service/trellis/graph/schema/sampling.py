"""Draws the nodes and relationships to look at: all of a small graph, a sample of a large one.

A sample is drawn from the whole store by element id, by a single query, however many labels and
types there are. Labels and types too rare to be in the sample are read one by one.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from trellis.domain.identifiers import quote_name
from trellis.graph.database.connection import GraphConnection, Row
from trellis.graph.schema.tokens import read_united_rows

Entity = Literal["NODE", "RELATIONSHIP"]

FEW = 50
"""The most values for which a property is listed with all of them."""

_HOLES = 1.1  # range of ids to draw from, for each entity in use: deleted ones leave holes
_ENOUGH = 5  # a kind with fewer in the sample is read on its own
_OF_A_RARE = 500  # nodes or relationships that are read of such a kind
_LONGEST = 100  # characters of a value that is listed

_PATTERN = {"NODE": "(x)", "RELATIONSHIP": "(a)-[x]->(b)"}
_KINDS = {
    "NODE": "[l IN labels(x) WHERE NOT toLower(l) STARTS WITH '_trellis']",
    "RELATIONSHIP": "[t IN [type(x)] WHERE NOT toLower(t) STARTS WITH '_trellis']",
}
_PROPERTIES = """
{head}
UNWIND {kinds} AS kind
UNWIND [''] + [key IN keys(x) WHERE NOT toLower(key) STARTS WITH '_trellis'] AS property
WITH kind, property, x[property] AS value, replace(valueType(x[property]), ' NOT NULL', '') AS type
WITH kind, property, type,
     CASE WHEN any(kind IN ['LIST', 'POINT', 'VECTOR'] WHERE type STARTS WITH kind) THEN null
          WHEN type = 'FLOAT' AND (isNaN(value) OR abs(value) > 1e308) THEN null
          WHEN type = 'STRING' AND size(value) > $longest THEN null
          ELSE value END AS value
RETURN kind, property, type, count(*) AS present, count(value) AS plain,
       collect(DISTINCT value)[..$few] AS values
"""
_ENDS = """
{head}
RETURN type(x) AS type, labels(a) AS starts, labels(b) AS ends, count(*) AS count
"""


@dataclass(frozen=True, slots=True)
class Extent:
    """How many to read: all if there are at most `whole_up_to`, else a sample of `sample_size`."""

    whole_up_to: int
    sample_size: int


EXTENTS: Mapping[Entity, Extent] = {
    "NODE": Extent(100_000, 20_000),
    "RELATIONSHIP": Extent(200_000, 30_000),
}


@dataclass(frozen=True, slots=True)
class Sample:
    """How a query matches the nodes or relationships to read.

    `match_clause`: the query's first clauses. `is_whole`: they match all nodes or relationships.
    """

    entity: Entity
    match_clause: str
    parameters: Mapping[str, Any]
    is_whole: bool


async def draw_sample(
    connection: GraphConnection, entity: Entity, count: int, extent: Extent
) -> Sample:
    """Choose all nodes or relationships of a small graph, else some at random.

    The choice is the same every time, so that the schema changes only if the graph does.
    """
    pattern = _PATTERN[entity]
    whole = Sample(entity, f"MATCH {pattern}", {}, is_whole=True)
    if count <= extent.whole_up_to:
        return whole
    rows = await connection.read_rows(f"MATCH {pattern} RETURN elementId(x) AS id LIMIT 1")
    prefix, _, last = rows[0]["id"].rpartition(":")
    if not last.isdigit():  # ids of an unknown format: read the first ones instead
        limited = f"MATCH {pattern} WITH * LIMIT {extent.sample_size}"
        return Sample(entity, limited, {}, is_whole=False)
    ids = random.Random(count.bit_length()).sample(
        range(int(_HOLES * count)), min(extent.sample_size, count)
    )
    head = f"UNWIND $ids AS id MATCH {pattern} WHERE elementId(x) = $prefix + id"
    return Sample(entity, head, {"prefix": f"{prefix}:", "ids": list(map(str, sorted(ids)))}, False)


async def read_properties(
    connection: GraphConnection, sample: Sample, counts: Mapping[str, int]
) -> dict[str, list[Row]]:
    """The types and values of each kind's properties; a row with an empty name counts the kind."""
    query = _PROPERTIES.format(head=sample.match_clause, kinds=_KINDS[sample.entity])
    limits: dict[str, Any] = {"few": FEW + 1, "longest": _LONGEST}
    seen = _group_by_kind(await connection.read_rows(query, **sample.parameters, **limits))
    rare = [kind for kind in counts if _count_seen(seen.get(kind, ())) < min(_ENOUGH, counts[kind])]
    if sample.is_whole or not rare:
        return seen
    queries = [
        _PROPERTIES.format(
            head=_build_match_clause(sample.entity, kind), kinds=f"[$kinds[{number}]]"
        )
        for number, kind in enumerate(rare)
    ]
    rows = await read_united_rows(connection, queries, kinds=rare, **limits)
    return {**seen, **_group_by_kind(rows)}


async def read_ends(connection: GraphConnection, sample: Sample) -> list[Row]:
    """The labels at both ends of the relationships of a sample, by type."""
    return await connection.read_rows(_ENDS.format(head=sample.match_clause), **sample.parameters)


async def read_ends_of_types(connection: GraphConnection, types: Iterable[str]) -> list[Row]:
    """The labels at both ends of the first 500 relationships of each of some types."""
    queries = [_ENDS.format(head=_build_match_clause("RELATIONSHIP", kind)) for kind in types]
    return await read_united_rows(connection, queries)


def _build_match_clause(entity: Entity, kind: str) -> str:
    """The clauses that match the first nodes or relationships of one kind, in stored order."""
    name = quote_name(kind)
    pattern = f"(x:{name})" if entity == "NODE" else f"(a)-[x:{name}]->(b)"
    return f"MATCH {pattern} WITH * LIMIT {_OF_A_RARE}"


def _group_by_kind(rows: Iterable[Row]) -> dict[str, list[Row]]:
    rows_of_kind: dict[str, list[Row]] = {}
    for row in rows:
        rows_of_kind.setdefault(row["kind"], []).append(row)
    return rows_of_kind


def _count_seen(rows: Sequence[Row]) -> int:
    return sum(row["present"] for row in rows if not row["property"])
