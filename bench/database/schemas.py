"""The time to read the schema, and of traversals by procedures and by plain Cypher."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from functools import partial
from statistics import median
from typing import Any

from bench.figure import Figure
from bench.made.wide_graph import WideGraph, fill_database
from trellis.graph.database.connection import GraphConnection
from trellis.graph.neo4j_graph import Neo4jGraph
from trellis.graph.schema.live import read_live_schema

_SAMPLE = "MATCH (n) WHERE NOT n:_TrellisMeta RETURN elementId(n) AS id LIMIT $count"
_WARM, _ANCHORS, _HOPS = 3, 20, 2


async def measure_schema(connection: GraphConnection, name: str) -> list[Figure]:
    """The figures of this connection's graph, in a server that has just started."""
    taken = [
        await _measure_milliseconds(partial(read_live_schema, connection)) for _ in range(1 + _WARM)
    ]
    shown = f"cold {taken[0] / 1000:.1f} s, warm {median(taken[1:]) / 1000:.2f} s"
    return [Figure(f"schema, {name}", shown), *await _measure_traversals(connection, name)]


async def measure_wide_graph(
    connection: GraphConnection, size: WideGraph | None = None
) -> list[Figure]:
    """As `measure_schema`, on an empty database that is filled with a wide graph."""
    made = size or WideGraph()
    await fill_database(connection, made)
    return await measure_schema(connection, f"{made.nodes:,} nodes, {made.types:,} types")


async def _measure_traversals(connection: GraphConnection, name: str) -> list[Figure]:
    ids = [row["id"] for row in await connection.read_rows(_SAMPLE, count=_ANCHORS)]
    rows = []
    for plugin, how in ((True, "procedures"), (False, "plain Cypher")):
        graph = Neo4jGraph(connection, use_plugin=plugin)
        near = [
            await _measure_milliseconds(partial(_read_neighbourhood, graph, id))
            for id in (*ids, *ids)
        ]
        far = [
            await _measure_milliseconds(partial(_read_reachable, graph, id)) for id in (*ids, *ids)
        ]
        medians = [median(times[len(ids) :]) for times in (near, far)]  # the second round
        shown = "neighbourhood {:.1f} ms, reachable {:.1f} ms".format(*medians)
        rows.append(Figure(f"{how}, {name}, {_HOPS} hops", shown))
    return rows


async def _read_neighbourhood(graph: Neo4jGraph, anchor: str) -> Any:
    return await graph.neighbourhood([anchor], _HOPS, edge_budget=200_000, names=True)


async def _read_reachable(graph: Neo4jGraph, anchor: str) -> Any:
    return await graph.reachable([anchor], _HOPS, edge_budget=200_000, path_budget=10_000)


async def _measure_milliseconds(work: Callable[[], Awaitable[Any]]) -> float:
    began = time.perf_counter()
    await work()
    return 1000 * (time.perf_counter() - began)
