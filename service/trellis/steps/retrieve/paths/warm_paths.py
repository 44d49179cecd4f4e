"""Warm up for paths: the queries that answering by paths runs, once in each shape.

Neo4j plans a query by its text and by the magnitude of the lists that it is given; so paths of
each length and direction are walked, and lists of each magnitude asked about. Nothing is written.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import cycle, product

from trellis.domain.graphs.graph import Neighbourhood, Node, NodeId, RelationPath, Step, Triple
from trellis.domain.ports import Graph
from trellis.steps.retrieve.paths.settings import PathSettings

_MAGNITUDES = (1, 10, 100)
_LONGEST_PATH = 3  # relationships: 2 ** 3 directions, a plan each
_LIMIT = 5
_EDGES = 20_000


async def warm_paths(graph: Graph, settings: PathSettings, nodes: Sequence[Node]) -> None:
    """Read the neighbourhood of one node and of several, walk paths, and look facts up."""
    if not nodes:
        return
    around = await _read_neighbourhoods(graph, settings, nodes)
    types = around.relation_types or ("",)
    for length in range(1, min(settings.hops, _LONGEST_PATH) + 1):
        for directions in product((False, True), repeat=length):
            pairs = zip(cycle(types), directions, strict=False)
            steps = tuple(Step(kind, backward) for kind, backward in pairs)
            for limit in _MAGNITUDES if length == 1 else (_LIMIT,):
                await graph.reach_nodes(
                    _make_path(settings, nodes[0], steps), settings.revisit, limit
                )
    for size in _MAGNITUDES:
        await graph.check_triples([Triple(nodes[0], "", nodes[-1])] * size)


async def _read_neighbourhoods(
    graph: Graph, settings: PathSettings, nodes: Sequence[Node]
) -> Neighbourhood:
    full = settings.rendering == "full"
    for anchors in ([nodes[0].id], [node.id for node in nodes]):
        around = await graph.neighbourhood(anchors, settings.hops, edge_budget=_EDGES, names=full)
    return around


def _make_path(settings: PathSettings, node: Node, steps: tuple[Step, ...]) -> RelationPath:
    """A path from a node; where the model names the nodes of paths, with one at each step."""
    anchor: tuple[NodeId, ...] = (node.id,)
    full = settings.rendering == "full"
    return RelationPath(anchor, steps, tuple(anchor for _ in steps) if full else ())
