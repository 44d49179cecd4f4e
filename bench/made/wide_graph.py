"""A large graph with many labels and types, made inside Neo4j as an example of a user's graph."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from trellis.domain.identifiers import quote_name
from trellis.graph.database.connection import GraphConnection
from trellis.graph.database.progress import Progress, ignore_progress

_NODES = """
UNWIND range($first, $last) AS row
CREATE (:{label} {{row: row, title: $label + ' number ' + row, status: 'state ' + (row % 7),
                   weight: row % 1000, opened: date('2020-01-01') + duration({{days: row % 900}})}})
"""
_INDEX = "CREATE RANGE INDEX {index} IF NOT EXISTS FOR (n:{label}) ON (n.row)"
_EDGES = """
UNWIND range(1, $count) AS i
WITH toInteger(rand() * $width) AS x, toInteger(rand() * $width) AS y
MATCH (a:{start} {{row: x}}) MATCH (b:{end} {{row: y}}) CREATE (a)-[:{type} {{since: x % 50}}]->(b)
"""
_BATCH = 20_000


@dataclass(frozen=True, slots=True)
class WideGraph:
    """The size of the graph; every tenth relationship type joins two pairs of labels."""

    nodes: int = 1_000_000
    edges: int = 5_000_000
    labels: int = 40
    types: int = 1_000

    @property
    def nodes_per_label(self) -> int:
        """Nodes of one label."""
        return self.nodes // self.labels

    def iterate_edge_kinds(self) -> Iterator[tuple[str, str, str, int]]:
        """Iterate over (type, start label, end label, number of relationships)."""
        each = self.edges // self.types
        for number in range(self.types):
            start, end = number % self.labels, (7 * number + number // self.labels) % self.labels
            kind = f"RELATES_{number}"
            if number % 10:
                yield kind, f"Kind{start}", f"Kind{end}", each
            else:
                yield kind, f"Kind{start}", f"Kind{end}", each - each // 10
                yield kind, f"Kind{(start + 1) % self.labels}", f"Kind{end}", each // 10


async def fill_database(
    connection: GraphConnection, size: WideGraph, progress: Progress = ignore_progress
) -> None:
    """Write the graph into an empty database; 1M nodes and 5M relationships take minutes."""
    for number in range(size.labels):
        label = f"Kind{number}"
        await connection.run_command(
            _INDEX.format(index=quote_name(f"row_{number}"), label=quote_name(label))
        )
        for first in range(0, size.nodes_per_label, _BATCH):
            last = min(first + _BATCH, size.nodes_per_label) - 1
            query = _NODES.format(label=quote_name(label))
            await connection.run_write(query, first=first, last=last, label=label)
        progress("nodes", (number + 1) * size.nodes_per_label, size.nodes)
    await connection.run_command("CALL db.awaitIndexes(600)")
    done = 0
    for kind, start, end, count in size.iterate_edge_kinds():
        query = _EDGES.format(type=quote_name(kind), start=quote_name(start), end=quote_name(end))
        for at in range(0, count, _BATCH):
            await connection.run_write(
                query, count=min(_BATCH, count - at), width=size.nodes_per_label
            )
        progress("edges", done := done + count, size.edges)
