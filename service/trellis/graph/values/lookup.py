"""Finds values for questions, by an index in memory or a search, and the nodes that hold them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, Sequence
from typing import Any

from trellis.domain.graphs.graph import NodeId
from trellis.domain.graphs.links import StoredValue
from trellis.domain.graphs.schema import Schema
from trellis.domain.identifiers import quote_name
from trellis.graph.database.connection import GraphConnection, Row
from trellis.graph.database.names import VALUES_INDEX
from trellis.graph.schema.tokens import read_united_rows
from trellis.linking.values.value_index import ValueIndex

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
_MOST_NODES = 25  # of one search: a value that is searched is a value of few nodes
_MOST_INDEXES = 40  # of the user's own that are searched if we did not index the graph
_HOLDERS = """
MATCH (n:{label}) WHERE n.{property} = $value
RETURN elementId(n) AS id LIMIT $most
"""
_SCALARS = ("STRING", "INTEGER", "FLOAT", "BOOLEAN")
_SCANNED = 100_000  # nodes of a label that may be scanned if no index serves


async def read_value_index(connection: GraphConnection, schema: Schema) -> ValueIndex:
    """Read the values that indexing remembered, and those that the schema lists."""
    rows = await connection.read_rows(_REMEMBERED)
    documents, searched = (rows[0]["documents"], rows[0]["searched"]) if rows else ([], [])
    return await asyncio.to_thread(_build_index, documents, searched, schema)


def _build_index(documents: Sequence[str], searched: Sequence[str], schema: Schema) -> ValueIndex:
    visible = {(kind.label, known.name) for kind in schema.labels for known in kind.properties}
    remembered = [value for text in documents for value in _parse_document(json.loads(text))]
    visible_names = {name for _, name in visible}
    return ValueIndex(
        [value for value in remembered if (value.label, value.property) in visible]
        + [value for value, complete in _list_schema_values(schema) if complete],
        [value for value, complete in _list_schema_values(schema) if not complete],
        [name for name in searched if name in visible_names],
    )


def _parse_document(document: Row) -> Iterator[StoredValue]:
    for value in document["values"]:
        yield StoredValue(document["label"], document["property"], value, document["type"])


def _list_schema_values(schema: Schema) -> Iterator[tuple[StoredValue, bool]]:
    """The schema's values, each with whether the schema lists all values of its property; of
    relationships only the texts of properties with few."""
    for kind in schema.labels:
        for known in kind.properties:
            for value in known.values or known.examples:
                stored = StoredValue(kind.label, known.name, value, known.type)
                yield stored, bool(known.values)
    for type_, kinds in schema.relationship_properties.items():
        for known in kinds:
            texts = known.values if known.type == "STRING" else ()
            yield from ((StoredValue(type_, known.name, text), True) for text in texts)


async def search_values(
    connection: GraphConnection, texts: Sequence[str], searched: Sequence[str], schema: Schema
) -> list[list[StoredValue]]:
    """For each text the values that contain its words as a phrase, by our full-text index.

    Without that index, only values equal to the text, by the user's own indexes.
    """
    if not texts:
        return []
    if not searched:
        return await _search_own_indexes(connection, texts, schema)
    queries = ['"' + text.replace("\\", " ").replace('"', " ") + '"' for text in texts]
    parameters: dict[str, Any] = {"properties": list(searched), "limit": _MOST_NODES}
    values: list[list[StoredValue]] = [[] for _ in texts]
    for row in await connection.read_rows(_SEARCH, queries=queries, **parameters):
        for label in row["labels"]:
            kind = schema.label(label)
            if kind and kind.property(row["property"]) and isinstance(row["value"], str):
                values[row["row"]].append(StoredValue(label, row["property"], row["value"]))
    return values


async def _search_own_indexes(
    connection: GraphConnection, texts: Sequence[str], schema: Schema
) -> list[list[StoredValue]]:
    indexed = [
        (kind.label, known.name)
        for kind in schema.labels
        for known in kind.properties
        if known.indexed and known.type == "STRING"
    ][:_MOST_INDEXES]
    queries = [
        _EQUAL.format(label=quote_name(label), property=quote_name(name), number=number)
        for number, (label, name) in enumerate(indexed)
    ]
    rows = await read_united_rows(connection, queries, texts=list(texts))
    stored = [StoredValue(*indexed[row["number"]], row["value"]) for row in rows]
    return [[value for value in stored if value.value == text] for text in texts]


async def find_holders(
    connection: GraphConnection, values: Sequence[StoredValue], limit: int, schema: Schema
) -> list[tuple[NodeId, ...] | None]:
    """For each value the nodes that have it, in no order; None if there are more than `limit`, or
    if finding them would take long."""
    return list(
        await asyncio.gather(
            *(_find_value_holders(connection, value, limit, schema) for value in values)
        )
    )


async def _find_value_holders(
    connection: GraphConnection, value: StoredValue, limit: int, schema: Schema
) -> tuple[NodeId, ...] | None:
    if value.type not in _SCALARS or not _is_fast_to_find(value, schema):
        return None
    query = _HOLDERS.format(label=quote_name(value.label), property=quote_name(value.property))
    rows = await connection.read_rows(query, value=value.value, most=limit + 1)
    return tuple(row["id"] for row in rows) if len(rows) <= limit else None


def _is_fast_to_find(value: StoredValue, schema: Schema) -> bool:
    kind = schema.label(value.label)
    holder = kind.property(value.property) if kind else None
    if kind is None or holder is None:
        return False
    return holder.indexed or holder.unique or kind.count <= _SCANNED
