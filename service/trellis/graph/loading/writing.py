"""Rows into Neo4j in large batches: one statement for all labels, one for most types.

Labels and types are parameters of it (Neo4j 5.26 and later), so that Neo4j plans a handful of
statements, however many labels and types a graph has.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import AsyncIterator, Iterable, Iterator
from itertools import groupby, islice
from typing import Any, TypeVar

from trellis.domain.identifiers import quote_name
from trellis.graph.database.connection import GraphConnection
from trellis.graph.database.names import LOADED, LOADED_ID, META, ROW_KEY
from trellis.graph.loading.rows import NodeRow, RelationshipRow

_DELETED_AT_ONCE = 20_000

_NODES = f"""
UNWIND $rows AS row
MERGE (n:{LOADED} {{{LOADED_ID}: row.key}})
SET n += row.properties, n:$(row.labels)
"""
_ENDS = f"""
UNWIND $rows AS row
MATCH (a:{LOADED} {{{LOADED_ID}: row.start}})
MATCH (b:{LOADED} {{{LOADED_ID}: row.end}})
"""
_BATCH = 5_000
_WINDOW = 20 * _BATCH  # rows held back for batches of one type, over all types
_MANY = 1_000  # rows of one type that are worth a plan of their own

Item = TypeVar("Item")


async def write_nodes(connection: GraphConnection, nodes: Iterable[NodeRow]) -> AsyncIterator[int]:
    """Merge nodes by key; gives the size of every batch written."""
    for batch in _split_batches(nodes):
        rows = [
            {"key": row.key, "labels": row.labels, "properties": row.properties} for row in batch
        ]
        await connection.run_write(_NODES, rows=rows)
        yield len(batch)


async def write_relationships(
    connection: GraphConnection, relationships: Iterable[RelationshipRow]
) -> AsyncIterator[int]:
    """Merge relationships by ends, type and, where they have one, key."""
    for keyed, rows in groupby(relationships, lambda row: row.key is not None):
        for kind, batch in _split_types(rows):
            statement = _build_relationship_statement(kind, keyed)
            await connection.run_write(statement, rows=[_build_parameters(row) for row in batch])
            yield len(batch)


async def delete_all(connection: GraphConnection) -> AsyncIterator[int]:
    """Delete relationships, then nodes but our state, in batches; it may break off and go on."""
    relationships = "MATCH ()-[r]->() WITH r LIMIT $limit DELETE r RETURN count(*) AS gone"
    nodes = f"MATCH (n) WHERE NOT n:{META} WITH n LIMIT $limit DELETE n RETURN count(*) AS gone"
    for query in (relationships, nodes):
        while gone := (await connection.run_write(query, limit=_DELETED_AT_ONCE))[0]["gone"]:
            yield gone


def _build_relationship_statement(kind: str | None, keyed: bool) -> str:
    """`kind`: the type of all rows; None where each row names its own."""
    named = "$(row.type)" if kind is None else quote_name(kind)
    if keyed:
        key = f"{{{ROW_KEY}: row.key}}"
        return f"{_ENDS}MERGE (a)-[r:{named} {key}]->(b) SET r += row.properties"
    return f"{_ENDS}MERGE (a)-[:{named}]->(b)"


def _build_parameters(row: RelationshipRow) -> dict[str, Any]:
    ends = {"type": row.type, "start": row.start, "end": row.end}
    return ends if row.key is None else {**ends, "key": row.key, "properties": row.properties}


def _split_batches(items: Iterable[Item]) -> Iterator[list[Item]]:
    """The items in lists of `_BATCH`, the last one shorter."""
    rest = iter(items)
    while batch := list(islice(rest, _BATCH)):
        yield batch


def _split_types(
    rows: Iterable[RelationshipRow],
) -> Iterator[tuple[str | None, list[RelationshipRow]]]:
    """Batches with the type that all their rows have, or None where they have several.

    A statement that names its type finds a relationship between two nodes of very many
    relationships ten times as fast; but Neo4j plans it anew for every type.
    """
    rest = iter(rows)
    while window := list(islice(rest, _WINDOW)):
        few: list[RelationshipRow] = []
        for kind, same in _group_by_type(window).items():
            if len(same) < _MANY:
                few += same
                continue
            for batch in _split_batches(same):
                yield kind, batch
        for batch in _split_batches(few):
            yield None, batch


def _group_by_type(rows: Iterable[RelationshipRow]) -> dict[str, list[RelationshipRow]]:
    groups: dict[str, list[RelationshipRow]] = defaultdict(list)
    for row in rows:
        groups[row.type].append(row)
    return groups
