"""What questions ask of values: those that are remembered, and a search for the others."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, Sequence
from typing import Any

from trellis.domain.identifiers import quoted
from trellis.domain.links import StoredValue
from trellis.domain.schema import Schema
from trellis.graph.connection import GraphConnection, Row
from trellis.graph.names import VALUES_INDEX
from trellis.graph.schema.tokens import read_all, united
from trellis.linking.value_index import ValueIndex

_REMEMBERED = """
MATCH (m:_TrellisMeta {_trellis_id: 'state'})
RETURN coalesce(m.values, []) AS documents, coalesce(m.searched, []) AS searched
"""
_SEARCH = f"""
UNWIND range(0, size($queries) - 1) AS row
CALL (row) {{
  CALL db.index.fulltext.queryNodes('{VALUES_INDEX}', $queries[row], {{limit: $limit}}) YIELD node
  UNWIND [p IN $properties WHERE node[p] IS NOT NULL] AS property
  RETURN DISTINCT labels(node) AS labels, property, node[property] AS value
}}
RETURN row, labels, property, value
"""
_EQUAL = """
MATCH (n:{label}) WHERE n.{property} IN $texts
RETURN DISTINCT {number} AS number, n.{property} AS value
"""
_MOST_NODES = 25  # of one search: values of properties with many stand on few nodes each
_MOST_INDEXES = 40  # of the user's own that are asked where the graph is not indexed by us
_AT_ONCE = 5


async def read_index(connection: GraphConnection, schema: Schema) -> ValueIndex:
    """The values that indexing remembered, and those that the schema lists."""
    rows = await connection.read(_REMEMBERED)
    documents, searched = (rows[0]["documents"], rows[0]["searched"]) if rows else ([], [])
    return await asyncio.to_thread(_index, documents, searched, schema)


def _index(documents: Sequence[str], searched: Sequence[str], schema: Schema) -> ValueIndex:
    shown = {(kind.label, found.name) for kind in schema.labels for found in kind.properties}
    remembered = [one for text in documents for one in _stored(json.loads(text))]
    shown_names = {name for _, name in shown}
    return ValueIndex(
        [one for one in remembered if (one.label, one.property) in shown]
        + [one for one, certain in _listed(schema) if certain],
        [one for one, certain in _listed(schema) if not certain],
        [name for name in searched if name in shown_names],
    )


def _stored(document: Row) -> Iterator[StoredValue]:
    for value in document["values"]:
        yield StoredValue(document["label"], document["property"], value, document["type"])


def _listed(schema: Schema) -> Iterator[tuple[StoredValue, bool]]:
    """The values that the schema shows, and whether they are all of their property."""
    for kind in schema.labels:
        for found in kind.properties:
            for value in found.values or found.examples:
                stored = StoredValue(kind.label, found.name, value, found.type)
                yield stored, bool(found.values)


async def by_value(
    connection: GraphConnection, texts: Sequence[str], searched: Sequence[str], schema: Schema
) -> list[list[StoredValue]]:
    """For each text the values that hold its words one after the other, by our full-text index.

    Where there is none, values that are equal to a text, by the user's own indexes.
    """
    if not texts:
        return []
    if not searched:
        return await _by_own_indexes(connection, texts, schema)
    queries = ['"' + text.replace("\\", " ").replace('"', " ") + '"' for text in texts]
    asked: dict[str, Any] = {"queries": queries, "properties": list(searched), "limit": _MOST_NODES}
    found: list[list[StoredValue]] = [[] for _ in texts]
    for row in await connection.read(_SEARCH, **asked):
        for label in row["labels"]:
            kind = schema.label(label)
            if kind and kind.property(row["property"]) and isinstance(row["value"], str):
                found[row["row"]].append(StoredValue(label, row["property"], row["value"]))
    return found


async def _by_own_indexes(
    connection: GraphConnection, texts: Sequence[str], schema: Schema
) -> list[list[StoredValue]]:
    indexed = [
        (kind.label, found.name)
        for kind in schema.labels
        for found in kind.properties
        if found.indexed and found.type == "STRING"
    ][:_MOST_INDEXES]
    queries = [
        _EQUAL.format(label=quoted(label), property=quoted(name), number=number)
        for number, (label, name) in enumerate(indexed)
    ]
    rows = await read_all(connection, united(queries, _AT_ONCE), texts=list(texts))
    stored = [StoredValue(*indexed[row["number"]], row["value"]) for row in rows]
    return [[one for one in stored if one.value == text] for text in texts]
