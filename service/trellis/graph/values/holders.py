"""Finds the holders of a value: the nodes that have it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from trellis.domain.graph import NodeId
from trellis.domain.identifiers import quote_name
from trellis.domain.links import StoredValue
from trellis.domain.schema import Schema
from trellis.graph.connection import GraphConnection

_HOLDERS = """
MATCH (n:{label}) WHERE n.{property} = $value
RETURN elementId(n) AS id LIMIT $most
"""
_SCALARS = ("STRING", "INTEGER", "FLOAT", "BOOLEAN")
_SCANNED = 100_000  # nodes of a label that may be scanned if no index serves


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
