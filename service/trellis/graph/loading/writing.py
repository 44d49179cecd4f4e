"""Rows into Neo4j: grouped so that every statement names its labels or type, in large batches."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Hashable, Iterable, Iterator
from typing import Any, TypeVar

from trellis.domain.identifiers import labelled, quoted
from trellis.graph.connection import GraphConnection
from trellis.graph.loading.rows import NodeRow, RelationshipRow
from trellis.graph.names import LOADED, LOADED_ID, META, ROW_KEY

BATCH = 5_000
_WAITING = 20 * BATCH  # rows held back for larger batches, over all groups
_DELETED_AT_ONCE = 20_000

Item = TypeVar("Item")


async def write_nodes(connection: GraphConnection, nodes: Iterable[NodeRow]) -> AsyncIterator[int]:
    """Merge nodes by key; gives the size of every batch written."""
    for labels, batch in grouped(nodes, lambda row: row.labels):
        rows = [{"key": row.key, "properties": row.properties} for row in batch]
        await connection.write(_node_statement(labels), rows=rows)
        yield len(batch)


async def write_relationships(
    connection: GraphConnection, relationships: Iterable[RelationshipRow]
) -> AsyncIterator[int]:
    """Merge relationships by ends, type and, where they have one, key."""
    for (kind, keyed), batch in grouped(relationships, lambda row: (row.type, row.key is not None)):
        rows = [_parameters(row) for row in batch]
        await connection.write(_relationship_statement(kind, keyed), rows=rows)
        yield len(batch)


async def delete_all(connection: GraphConnection) -> AsyncIterator[int]:
    """Delete relationships, then nodes but our state, in batches; it may break off and go on."""
    relationships = "MATCH ()-[r]->() WITH r LIMIT $limit DELETE r RETURN count(*) AS gone"
    nodes = f"MATCH (n) WHERE NOT n:{META} WITH n LIMIT $limit DELETE n RETURN count(*) AS gone"
    for query in (relationships, nodes):
        while gone := (await connection.write(query, limit=_DELETED_AT_ONCE))[0]["gone"]:
            yield gone


def grouped(
    items: Iterable[Item], group_of: Callable[[Item], Any]
) -> Iterator[tuple[Any, list[Item]]]:
    """Batches of one group each; a group waits until it fills a batch or too much waits."""
    waiting: dict[Hashable, list[Item]] = defaultdict(list)
    count = 0
    for item in items:
        group = group_of(item)
        waiting[group].append(item)
        count += 1
        if len(waiting[group]) >= BATCH:
            count -= len(waiting[group])
            yield group, waiting.pop(group)
        elif count >= _WAITING:
            largest = max(waiting, key=lambda key: len(waiting[key]))
            count -= len(waiting[largest])
            yield largest, waiting.pop(largest)
    yield from waiting.items()


def _node_statement(labels: tuple[str, ...]) -> str:
    return (
        f"UNWIND $rows AS row MERGE (n:{LOADED} {{{LOADED_ID}: row.key}}) "
        f"SET n += row.properties" + (f", n{labelled(labels)}" if labels else "")
    )


def _relationship_statement(kind: str, keyed: bool) -> str:
    key = f" {{{ROW_KEY}: row.key}}" if keyed else ""
    return (
        f"UNWIND $rows AS row "
        f"MATCH (a:{LOADED} {{{LOADED_ID}: row.start}}) "
        f"MATCH (b:{LOADED} {{{LOADED_ID}: row.end}}) "
        f"MERGE (a)-[r:{quoted(kind)}{key}]->(b)" + (" SET r += row.properties" if keyed else "")
    )


def _parameters(row: RelationshipRow) -> dict[str, Any]:
    ends = {"start": row.start, "end": row.end}
    return ends if row.key is None else {**ends, "key": row.key, "properties": row.properties}
