"""What linking, traversals, schema, patterns and traces cost on a graph of `made_graph`."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from random import Random
from statistics import mean, median
from typing import Any

import numpy as np

from bench.database.linking import link_questions
from bench.database.pattern_search import SHAPES, DrawnFrom, draw_search
from bench.made.perturbations import GraphNames
from trellis.domain.graphs.graph import Node
from trellis.domain.structures.patterns import PatternGraph
from trellis.domain.structures.traces import AnchorScores, RelationScores, TraceRules, TraceSearch
from trellis.graph.database.connection import GraphConnection
from trellis.graph.database.names import LOADED, LOADED_ID
from trellis.graph.neo4j_graph import Neo4jGraph
from trellis.linking.text import name_key

Values = dict[str, float]
"""What was measured, by name; milliseconds where the name ends in ` ms`."""

HUB_KEY = "\t0"
"""The load's key of the hub of a made graph."""

_THERE = "MATCH (n) WHERE elementId(n) IN $ids AND n.name IS NOT NULL RETURN elementId(n) AS id"
_NAMED = """
UNWIND $ids AS id MATCH (n) WHERE elementId(n) = id
RETURN elementId(n) AS id, n.name AS name, labels(n) AS labels
"""
_HUB = f"""
MATCH (n:{LOADED} {{{LOADED_ID}: $key}}) RETURN elementId(n) AS id, count {{ (n)--() }} AS degree
"""
_DRAWN = 40_000  # nodes, of which candidates of patterns are drawn
_NAMES, _PER_KIND = 4_000, 12
_KEYS_AT_ONCE = 500
_ROUNDS = 20
_EDGE_BUDGET = 200_000
_SHAPES = ("path2", "conj3", "star3")
_SEARCHES, _MATCHES, _SECONDS = 6, 3, 16.0
_ANCHORS = 50


async def measure_parts(connection: GraphConnection) -> Values:
    """All figures of a made graph that is indexed, in a server that has just started."""
    graph = Neo4jGraph(connection)
    cold = await _time_milliseconds(graph.schema)
    schema = [await _time_milliseconds(graph.schema) for _ in range(3)]
    nodes = (await graph.schema()).nodes
    ids = await _draw_ids(connection, nodes, _DRAWN)
    [hub] = await connection.read_rows(_HUB, key=HUB_KEY)
    return {
        "schema, first ms": cold,
        "schema, later ms": median(schema),
        **await _measure_linking(connection, graph, ids[:_NAMES]),
        **await _measure_neighbourhoods(graph, ids, hub["id"]),
        "degree of the hub": hub["degree"],
        **await _measure_patterns(graph, ids),
        **await _measure_traces(graph, ids, hub["id"]),
    }


async def draw_names(connection: GraphConnection, label: str, count: int) -> list[str]:
    """The names of some nodes of a label, drawn from the whole graph."""
    nodes = (await Neo4jGraph(connection).schema()).nodes
    rows = await connection.read_rows(
        _NAMED, ids=await _draw_ids(connection, nodes, 20 * count, seed=2)
    )
    return [row["name"] for row in rows if label in row["labels"]][:count]


async def _draw_ids(
    connection: GraphConnection, nodes: int, count: int, seed: int = 1
) -> list[str]:
    """Element ids of nodes, drawn by their numbers, of which the importer leaves some out."""
    [first] = await connection.read_rows("MATCH (n) RETURN elementId(n) AS id LIMIT 1")
    prefix = first["id"].rpartition(":")[0]
    drawn = Random(seed).sample(range(nodes), min(count, nodes))
    ids = [f"{prefix}:{number}" for number in drawn]
    rows = await connection.scan_rows(_THERE, ids=ids)
    return [row["id"] for row in rows]


async def _measure_linking(
    connection: GraphConnection, graph: Neo4jGraph, ids: Sequence[str]
) -> Values:
    """Names as they stand and with each kind of perturbation; embeddings are not asked."""
    rows = await connection.read_rows(_NAMED, ids=list(ids))
    keys = sorted({name_key(row["name"]) for row in rows})
    nodes: list[Node] = []
    for at in range(0, len(keys), _KEYS_AT_ONCE):
        found = await graph.find_by_key(keys[at : at + _KEYS_AT_ONCE])
        nodes += [node for some in found.values() for node in some]
    asked = await link_questions(graph, GraphNames(nodes), count_per_kind=_PER_KIND)
    plain = [one.seconds for one in asked if one.question.kind == "as it stands"]
    p50, p95 = np.quantile([one.seconds for one in asked], (0.5, 0.95))
    return {
        "linking, exact names, p95 ms": 1000 * float(np.quantile(plain or [0.0], 0.95)),
        "linking, all kinds, p50 ms": 1000 * float(p50),
        "linking, all kinds, p95 ms": 1000 * float(p95),
        "linking, recall@5 %": 100 * mean(one.found_in_five for one in asked),
    }


async def _measure_neighbourhoods(graph: Neo4jGraph, ids: Sequence[str], hub: str) -> Values:
    async def read_around(anchor: str, hops: int) -> Any:
        return await graph.neighbourhood([anchor], hops, edge_budget=_EDGE_BUDGET, names=False)

    usual = [await _time_milliseconds(partial(read_around, anchor, 2)) for anchor in ids[:_ROUNDS]]
    near = [await _time_milliseconds(partial(read_around, hub, 1)) for _ in range(4)]
    far = [await _time_milliseconds(partial(read_around, hub, 2)) for _ in range(4)]
    return {
        "neighbourhood, 2 hops, p50 ms": median(usual),
        "neighbourhood, 2 hops, p95 ms": float(np.quantile(usual, 0.95)),
        "neighbourhood of the hub, 1 hop ms": median(near),
        "neighbourhood of the hub, 2 hops ms": median(far),
    }


async def _measure_patterns(graph: Neo4jGraph, ids: Sequence[str]) -> Values:
    kinds = sorted({kind.type for kind in (await graph.schema()).relationships})
    drawn = DrawnFrom(ids, kinds, np.random.default_rng(1))
    values: Values = {}
    for name in _SHAPES:
        searches = [draw_search(SHAPES[name], drawn) for _ in range(_SEARCHES)]
        work = [partial(graph.search_patterns, each, _MATCHES, _SECONDS) for each in searches]
        values[f"patterns, {name} ms"] = median([await _time_milliseconds(one) for one in work])
    return values


async def _measure_traces(graph: Neo4jGraph, ids: Sequence[str], hub: str) -> Values:
    async def trace(search: TraceSearch) -> Any:
        return await graph.search_traces(search, _SECONDS)

    usual = [
        await _time_milliseconds(partial(trace, _make_trace(ids[at : at + _ANCHORS])))
        for at in range(0, _ROUNDS * _ANCHORS, _ANCHORS)
    ]
    at_hub = [await _time_milliseconds(partial(trace, _make_trace([hub]))) for _ in range(4)]
    return {"traces ms": median(usual), "traces from the hub ms": median(at_hub)}


def _make_trace(anchors: Sequence[str]) -> TraceSearch:
    """Who lives where somebody of the anchors lives or was born, and what they wrote."""
    scores = RelationScores(("LIVES_IN", "BORN_IN"), (1.0, 0.9)), RelationScores(("WROTE",), (0.8,))
    return TraceSearch(
        PatternGraph(3, ((0, 1), (1, 2))),
        (AnchorScores(tuple(anchors), tuple(1.0 for _ in anchors)), None, None),
        scores,
        rules=TraceRules(limit=100, has_shapes=True),
    )


async def _time_milliseconds(work: Callable[[], Awaitable[Any]]) -> float:
    began = time.perf_counter()
    await work()
    return 1000 * (time.perf_counter() - began)
