"""The time to load a graph, by its number of relationship types."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

from bench.figure import Figure, compare_seconds, time_awaitable
from trellis.graph.database.connection import GraphConnection
from trellis.graph.loading import load_graph


@dataclass(frozen=True, slots=True)
class MadeTriples:
    """The size of a made graph: triples and relationship types, and one node for two triples."""

    triples: int
    types: int

    def iterate_lines(self) -> Iterator[str]:
        """The lines of random triples, of which few nodes have many."""
        random = Random(1)
        nodes = self.triples // 2
        for number in range(self.triples):
            head, tail = int(nodes * random.random() ** 3), random.randrange(nodes)
            yield f"Node {head}\trelation {number % self.types}\tNode {tail}\n"


MANY_TYPES = MadeTriples(4_000, 360)
FEW_TYPES = MadeTriples(100_000, 17)


async def measure_loading(
    connection: GraphConnection, made: MadeTriples, folder: Path
) -> list[Figure]:
    """Seconds to load a made graph into the empty database of a Neo4j that has just started."""
    file = folder / "made.tsv"
    file.write_text("".join(made.iterate_lines()), encoding="utf-8")
    _, seconds = await time_awaitable(load_graph(connection, file))
    return [
        compare_seconds(f"load {made.triples:,} relationships of {made.types} types", [seconds])
    ]
