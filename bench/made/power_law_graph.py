"""A large graph whose nodes' degrees follow a power law, made inside Neo4j."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from trellis.domain.identifiers import quote_name
from trellis.graph.database.connection import GraphConnection

_NODES = "UNWIND range(1, $count) AS i CREATE (n:Entity) RETURN elementId(n) AS id"
_EDGES = """
UNWIND range(0, size($starts) - 1) AS i
MATCH (a) WHERE elementId(a) = $prefix + $starts[i]
MATCH (b) WHERE elementId(b) = $prefix + $ends[i]
CREATE (a)-[:{type}]->(b)
"""
_BATCH = 50_000
_EXPONENT = 2.5  # of the power law


@dataclass(frozen=True, slots=True)
class PowerLawGraph:
    """The size of the graph. The share of nodes with a degree of d falls as d**-2.5, the use of
    relationship types as 1 / rank."""

    nodes: int
    edges: int
    types: int = 1_000

    @property
    def type_names(self) -> list[str]:
        return [f"RELATES_{number}" for number in range(self.types)]

    def draw_edges(self, random: np.random.Generator) -> NDArray[np.int64]:
        """The edges [edges, 3]: start, type, end; by type and start."""
        power = 1 - 1 / (_EXPONENT - 1)
        places = random.permutation(self.nodes)
        ends = places[(self.nodes * random.random((2, self.edges)) ** (1 / power)).astype(np.int64)]
        ranks = (self.types ** random.random(self.edges)).astype(np.int64) - 1
        return np.stack([ends[0], ranks, ends[1]], axis=1)[np.lexsort((ends[0], ranks))]


async def fill_database(
    connection: GraphConnection, size: PowerLawGraph, random: np.random.Generator
) -> list[str]:
    """Write the graph into an empty database; returns the nodes' element ids."""
    ids: list[str] = []
    for count in _split_count(size.nodes):
        ids += [row["id"] for row in await connection.run_write(_NODES, count=count)]
    prefix = ids[0].rpartition(":")[0] + ":"
    numbers = np.array([id.rpartition(":")[2] for id in ids])
    edges = size.draw_edges(random)
    firsts = np.searchsorted(edges[:, 1], np.arange(size.types + 1))
    for kind, first, last in zip(size.type_names, firsts, firsts[1:], strict=False):
        query = _EDGES.format(type=quote_name(kind))
        for at in range(first, last, _BATCH):
            some = edges[at : min(last, at + _BATCH)]
            starts, ends = numbers[some[:, 0]].tolist(), numbers[some[:, 2]].tolist()
            await connection.run_write(query, starts=starts, ends=ends, prefix=prefix)
    return ids


def _split_count(count: int) -> Iterator[int]:
    for at in range(0, count, _BATCH):
        yield min(_BATCH, count - at)
