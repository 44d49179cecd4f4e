"""Kept neighbourhoods while the graph is written to: how many stay, and what a question waits.

Questions ask for the neighbourhoods of a few nodes in turn. `elsewhere`: each write makes two nodes
with a relationship. `anywhere`: each write makes one between two random nodes of the graph.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import numpy as np

from bench.figure import Figure, time_awaitable
from trellis.domain.graphs.graph import NodeId
from trellis.graph.cached_graph import CachedGraph
from trellis.graph.database.connection import GraphConnection
from trellis.graph.neighbourhoods.trie_cache import TrieCache
from trellis.graph.neighbourhoods.trie_files import TrieFiles

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

_IDS = "MATCH (n) WHERE n.name IS NOT NULL RETURN elementId(n) AS id ORDER BY n.name LIMIT 3000"
_ELSEWHERE = "CREATE (:Visit {at: $number})-[:LEADS_TO]->(:Visit)"
_ANYWHERE = """
MATCH (a) WHERE elementId(a) = $one MATCH (b) WHERE elementId(b) = $other
CREATE (a)-[:LEADS_TO]->(b)
"""
_WRITES_A_SECOND = 100
_WRITERS = 8
_TOPICS = 40
_HOPS = 2


async def measure_kept_tries(connection: GraphConnection, questions: int = 400) -> list[Figure]:
    """Hit share and waiting time, kept and read anew; `connection`'s database is written to."""
    nodes = [row["id"] for row in await connection.read_rows(_IDS)]
    await connection.run_write(_ELSEWHERE, number=0)
    quiet = await _measure(connection, nodes, questions, "", None)
    elsewhere = await _measure(
        connection,
        nodes,
        questions,
        " elsewhere",
        lambda number: {"query": _ELSEWHERE, "number": number},
    )
    random = Random(7)
    anywhere = await _measure(
        connection,
        nodes,
        questions,
        " anywhere",
        lambda _: {"query": _ANYWHERE, "one": random.choice(nodes), "other": random.choice(nodes)},
    )
    return [*quiet, *elsewhere, *anywhere]


async def _measure(
    connection: GraphConnection,
    nodes: list[NodeId],
    questions: int,
    name: str,
    make_write: Callable[[int], Mapping[str, object]] | None,
) -> list[Figure]:
    with TemporaryDirectory() as folder:
        files = TrieFiles(Path(folder))
        kept = CachedGraph(connection, TrieCache(2**28), files)
        anew = CachedGraph(connection, None, files)
        topics = Random(5).sample(nodes, _TOPICS)
        for topic in topics:
            await _ask(kept, topic)
        async with _writing(connection, make_write) as count_writes:
            begun = time.perf_counter()
            turns = [topics[number % len(topics)] for number in range(questions)]
            pairs = [(await _ask(kept, topic), await _ask(anew, topic)) for topic in turns]
            rate = count_writes() / (time.perf_counter() - begun)
        figures = kept.collect_figures()
    hits = figures.hits / (figures.hits + figures.from_graph - _TOPICS)
    title = f"neighbourhoods of {_TOPICS} nodes, {_HOPS} hops, {rate:.0f} writes a second{name}"
    return [
        Figure(
            f"{title}, kept", f"hits {hits:.1%}, {_describe([seconds for seconds, _ in pairs])}"
        ),
        Figure("… read anew each time", _describe([seconds for _, seconds in pairs])),
    ]


async def _ask(graph: CachedGraph, topic: NodeId) -> float:
    """The seconds that a question waits for the neighbourhood of its topic."""
    reading = graph.neighbourhood([topic], _HOPS, edge_budget=200_000, names=True)
    return (await time_awaitable(reading))[1]


@asynccontextmanager
async def _writing(
    connection: GraphConnection, make_write: Callable[[int], Mapping[str, object]] | None
) -> AsyncIterator[Callable[[], int]]:
    """Write in the background at a steady rate; gives how many writes there were."""
    numbers = count()
    begun = time.perf_counter()
    written = list[int]()

    async def write() -> None:
        assert make_write is not None
        for number in numbers:
            await _wait_until(begun + number / _WRITES_A_SECOND)
            await _run(connection, make_write(number))
            written.append(number)

    writers = [asyncio.create_task(write()) for _ in range(_WRITERS if make_write else 0)]
    try:
        yield lambda: len(written)
    finally:
        for writer in writers:
            writer.cancel()
        await asyncio.gather(*writers, return_exceptions=True)


def _run(connection: GraphConnection, write: Mapping[str, object]) -> Awaitable[object]:
    parameters = {key: value for key, value in write.items() if key != "query"}
    return connection.run_write(str(write["query"]), **parameters)


async def _wait_until(moment: float) -> None:
    await asyncio.sleep(max(0.0, moment - time.perf_counter()))


def _describe(seconds: list[float]) -> str:
    p50, p95 = np.percentile([1000 * taken for taken in seconds], (50, 95))
    return f"p50 {p50:.1f} ms, p95 {p95:.1f} ms"
