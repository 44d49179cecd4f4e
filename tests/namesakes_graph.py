"""A graph with two countries of one name, for services in the tests."""

from __future__ import annotations

import memory_graph
from trellis.domain.graphs.graph import Node

NODES = tuple(
    Node(f"4:abc:{number}", name, ("Thing",))
    for number, name in enumerate(
        ("Georgia", "Georgia", "Tbilisi", "Atlanta", "Asia", "North America")
    )
)
TRIPLES = ((0, "HAS_CAPITAL", 2), (1, "HAS_CAPITAL", 3), (0, "IN", 4), (1, "IN", 5))


class NamesakesGraph(memory_graph.MemoryGraph):
    """Two Georgias, each with its capital and continent."""

    def __init__(self) -> None:
        super().__init__(NODES, TRIPLES)

    async def check(self) -> None:
        """It can be used."""
