"""Warm up for queries: the schema and the values that answering by queries reads."""

from __future__ import annotations

from collections.abc import Sequence

from trellis.domain.graphs.graph import Node
from trellis.domain.ports import Graph


async def warm_queries(graph: Graph, nodes: Sequence[Node]) -> None:
    """Read the schema and the remembered values, and search for the names of some nodes."""
    await graph.schema()
    await graph.values()
    for size in (1, 10, 100):
        await graph.search_values([node.name for node in nodes][:size])
