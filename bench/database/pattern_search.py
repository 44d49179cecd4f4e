"""The search for patterns by graph semantic distance, on graphs of a power law."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import mean

import numpy as np

from bench.figure import Figure, time_awaitable
from bench.made.power_law_graph import PowerLawGraph, fill_database
from trellis.domain.structures.patterns import (
    NodeCandidates,
    PatternGraph,
    PatternSearch,
    RelationCandidates,
)
from trellis.graph.database.connection import GraphConnection
from trellis.graph.neo4j_graph import Neo4jGraph

_MATCHES = 3
_NODE_CANDIDATES, _RELATION_CANDIDATES = 16_384, 512
_SEARCHES = 15  # of each shape
_WARM_UP = 3  # of each shape, not counted
_COUNT = _SEARCHES + _WARM_UP
_SECONDS = 16.0
_DIMENSIONS = 384  # of the embeddings whose distances are drawn
_NODES_PER_EDGE = 5


@dataclass(frozen=True, slots=True)
class Shape:
    """A pattern; `known`: its nodes with candidates. `reference`: mean seconds of the reference
    code on a million nodes."""

    pattern: PatternGraph
    known: tuple[int, ...]
    reference: float


@dataclass(frozen=True, slots=True)
class DrawnFrom:
    """What candidates are drawn from: nodes and relationship types."""

    ids: Sequence[str]
    types: Sequence[str]
    random: np.random.Generator


SHAPES: Mapping[str, Shape] = {
    "path2": Shape(PatternGraph(3, ((0, 1), (1, 2))), (0,), 0.280),
    "path3": Shape(PatternGraph(4, ((0, 1), (1, 2), (2, 3))), (0,), 0.381),
    "conj2": Shape(PatternGraph(3, ((0, 1), (2, 1))), (0, 2), 2.282),
    "conj3": Shape(PatternGraph(4, ((0, 1), (2, 3), (3, 1))), (0, 2), 4.485),
    "star3": Shape(PatternGraph(4, ((0, 3), (1, 3), (2, 3))), (0, 1, 2), 7.004),
}
_WHOLE = 5_000_000  # edges of the graph that the reference was measured on


async def measure_patterns(connection: GraphConnection, edges: int) -> list[Figure]:
    """The time of each shape's searches over Bolt, candidates included."""
    random = np.random.default_rng(1)
    size = PowerLawGraph(max(2, edges // _NODES_PER_EDGE), edges)
    ids = await fill_database(connection, size, random)
    graph, drawn = (
        Neo4jGraph(connection),
        DrawnFrom(ids, size.type_names, random),
    )
    return [
        await _measure_shape(graph, name, shape, [draw_search(shape, drawn) for _ in range(_COUNT)])
        for name, shape in SHAPES.items()
    ]


async def _measure_shape(
    graph: Neo4jGraph, name: str, shape: Shape, searches: Sequence[PatternSearch]
) -> Figure:
    seconds, incomplete = [], 0
    for number, search in enumerate(searches):
        found, taken = await time_awaitable(graph.search_patterns(search, _MATCHES, _SECONDS))
        if number >= _WARM_UP:
            seconds.append(taken)
            incomplete += not found.is_complete
    size = await graph.read_status()
    is_whole = size.nodes * _NODES_PER_EDGE >= _WHOLE
    return Figure(
        f"patterns, {name}, {size.nodes:,} nodes, over Bolt",
        f"mean {1000 * mean(seconds):.0f} ms, p95 {1000 * np.quantile(seconds, 0.95):.0f} ms, "
        f"worst {1000 * max(seconds):.0f} ms, {incomplete} of {len(seconds)} cut",
        f"{1000 * shape.reference:.0f} ms" if is_whole else "",
        f"{shape.reference / mean(seconds):.0f}" if is_whole else "",
    )


def draw_search(shape: Shape, drawn: DrawnFrom) -> PatternSearch:
    """A search with the nearest of all nodes and types to random words as candidates."""
    nodes: list[NodeCandidates | None] = [None] * shape.pattern.nodes
    for node in shape.known:
        near, distances = _draw_nearest(len(drawn.ids), _NODE_CANDIDATES, drawn.random)
        nodes[node] = NodeCandidates(tuple(drawn.ids[i] for i in near), distances)
    relations = []
    for _ in shape.pattern.edges:
        near, distances = _draw_nearest(len(drawn.types), _RELATION_CANDIDATES, drawn.random)
        relations.append(RelationCandidates(tuple(drawn.types[i] for i in near), distances))
    return PatternSearch(shape.pattern, tuple(nodes), tuple(relations))


def _draw_nearest(
    count: int, most: int, random: np.random.Generator
) -> tuple[list[int], tuple[float, ...]]:
    """The nearest of `count` things to a random one, as unit vectors of many dimensions lie."""
    cosines = random.normal(0, _DIMENSIONS**-0.5, count)
    distances = np.sqrt(2 - 2 * np.clip(cosines, -1, 1))
    nearest = np.argsort(distances)[:most]
    return nearest.tolist(), tuple(distances[nearest].tolist())
