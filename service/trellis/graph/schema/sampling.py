"""Nodes and relationships that are looked at: all of a small graph, a sample of a large one.

A sample is drawn over the whole store by element id, in one query of one plan whatever the number
of labels and types. Kinds too rare to be in it are looked at one by one.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from trellis.domain.identifiers import quoted
from trellis.graph.connection import GraphConnection, Row
from trellis.graph.schema.tokens import read_all, united

Entity = Literal["NODE", "RELATIONSHIP"]

FEW = 50
"""Values of a property up to which all of them are listed."""

_HOLES = 1.1  # ids drawn from, of those in use: deleted ones leave holes
_ENOUGH = 5  # of a kind in the sample
_OF_A_RARE = 500
_AT_ONCE = 5  # kinds in one query: plans of more grow slow
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
    """Up to `whole` all are looked at, beyond that `drawn`."""

    whole: int
    drawn: int


EXTENTS: Mapping[Entity, Extent] = {
    "NODE": Extent(100_000, 20_000),
    "RELATIONSHIP": Extent(200_000, 30_000),
}


@dataclass(frozen=True, slots=True)
class Sample:
    """How nodes or relationships are found for looking at: the head of a query.

    `whole`: it finds all of them.
    """

    entity: Entity
    head: str
    parameters: Mapping[str, Any]
    whole: bool


async def draw(connection: GraphConnection, entity: Entity, count: int, extent: Extent) -> Sample:
    """All of a small graph, else some at random.

    The same ones every time, so that what is seen changes only where the graph does.
    """
    pattern = _PATTERN[entity]
    whole = Sample(entity, f"MATCH {pattern}", {}, whole=True)
    if count <= extent.whole:
        return whole
    rows = await connection.read(f"MATCH {pattern} RETURN elementId(x) AS id LIMIT 1")
    prefix, _, last = rows[0]["id"].rpartition(":")
    if not last.isdigit():  # ids of another make: the first ones stored stand for all
        limited = f"MATCH {pattern} WITH * LIMIT {extent.drawn}"
        return Sample(entity, limited, {}, whole=False)
    ids = random.Random(count.bit_length()).sample(
        range(int(_HOLES * count)), min(extent.drawn, count)
    )
    head = f"UNWIND $ids AS id MATCH {pattern} WHERE elementId(x) = $prefix + id"
    return Sample(entity, head, {"prefix": f"{prefix}:", "ids": list(map(str, sorted(ids)))}, False)


async def read_properties(
    connection: GraphConnection, sample: Sample, counts: Mapping[str, int]
) -> dict[str, list[Row]]:
    """For each kind the types and values of its properties; those of no name count the kind."""
    query = _PROPERTIES.format(head=sample.head, kinds=_KINDS[sample.entity])
    asked: dict[str, Any] = {"few": FEW + 1, "longest": _LONGEST}
    found = _by_kind(await connection.read(query, **sample.parameters, **asked))
    rare = [kind for kind in counts if _seen(found.get(kind, ())) < min(_ENOUGH, counts[kind])]
    if sample.whole or not rare:
        return found
    queries = [
        _PROPERTIES.format(head=_head_of(sample.entity, kind), kinds=f"[$kinds[{number}]]")
        for number, kind in enumerate(rare)
    ]
    rows = await read_all(connection, united(queries, _AT_ONCE), kinds=rare, **asked)
    return {**found, **_by_kind(rows)}


async def read_ends(connection: GraphConnection, sample: Sample) -> list[Row]:
    """The labels at both ends of the relationships of a sample, by type."""
    return await connection.read(_ENDS.format(head=sample.head), **sample.parameters)


async def read_ends_of(connection: GraphConnection, types: Iterable[str]) -> list[Row]:
    """The same of the first 500 relationships of each of some types."""
    queries = [_ENDS.format(head=_head_of("RELATIONSHIP", kind)) for kind in types]
    return await read_all(connection, united(queries, _AT_ONCE))


def _head_of(entity: Entity, kind: str) -> str:
    """The first of one kind, as they are stored."""
    name = quoted(kind)
    pattern = f"(x:{name})" if entity == "NODE" else f"(a)-[x:{name}]->(b)"
    return f"MATCH {pattern} WITH * LIMIT {_OF_A_RARE}"


def _by_kind(rows: Iterable[Row]) -> dict[str, list[Row]]:
    found: dict[str, list[Row]] = {}
    for row in rows:
        found.setdefault(row["kind"], []).append(row)
    return found


def _seen(rows: Sequence[Row]) -> int:
    return sum(row["present"] for row in rows if not row["property"])
