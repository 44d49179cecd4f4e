"""The recall and speed of linking names, by kind of perturbation, on the loaded graph."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from statistics import mean

import numpy as np

from trellis.domain.graph import Node
from trellis.domain.links import Mention
from trellis.domain.ports import Embedder, Graph
from trellis.evaluation.benchmark.figure import Figure
from trellis.evaluation.benchmark.made_names import made_names
from trellis.evaluation.perturbations import WORDING, Names, Perturbed, Place, perturbed
from trellis.graph.connection import GraphConnection
from trellis.graph.indexing import index_graph
from trellis.graph.names import NAMED
from trellis.graph.neo4j_graph import Neo4jGraph
from trellis.steps.shared.link import link

_NAMES = f"MATCH (n:{NAMED}) RETURN elementId(n) AS id, n._trellis_name AS name ORDER BY id"
_CREATE = "UNWIND $names AS name CREATE (:Made {name: name})"
_BATCH = 10_000


@dataclass(frozen=True, slots=True)
class Asked:
    """A linked question: whether all its names are found first or among five, and the seconds."""

    of: Perturbed
    first: bool
    five: bool
    seconds: float
    mentions: tuple[Mention, ...]


async def figures(
    connection: GraphConnection, name: str, embedder: Embedder | None = None, each: int = 50
) -> list[Figure]:
    """Recall and milliseconds of each kind, and of all, on the graph of this connection."""
    asked = await measured(Neo4jGraph(connection), await names_of(connection), embedder, each)
    kinds: dict[str, list[Asked]] = defaultdict(list)
    for linked in asked:
        kinds[linked.of.kind].append(linked)
    return [_figure(f"linking, {name}, {kind}", some) for kind, some in kinds.items()] + [
        _figure(f"linking, {name}, all kinds", asked)
    ]


async def made_up(connection: GraphConnection, count: int = 1_000_000) -> list[Figure]:
    """As `figures`, on an empty database that is filled with made-up names."""
    await fill_with_made_names(connection, count)
    return await figures(connection, f"{count:,} made-up names")


async def measured(
    graph: Graph,
    names: Names,
    embedder: Embedder | None = None,
    each: int = 50,
    wording: Collection[str] = WORDING,
    seed: int = 1,
) -> list[Asked]:
    """Link all questions, one after the other; about twenty are linked once before to warm up."""
    questions = list(perturbed(names, each, seed))
    for question in questions[:: max(1, len(questions) // 20)]:
        await link(question.question, graph, embedder, wording)
    asked = []
    for question in questions:
        began = time.perf_counter()
        mentions = await link(question.question, graph, embedder, wording)
        seconds = time.perf_counter() - began
        first, five = (found(question.places, mentions, most) for most in (1, 5))
        asked.append(Asked(question, first, five, seconds, mentions))
    return asked


async def names_of(connection: GraphConnection) -> Names:
    return Names([Node(r["id"], r["name"]) async for r in connection.stream(_NAMES)])


async def fill_with_made_names(connection: GraphConnection, count: int) -> None:
    """Write `count` nodes with made-up names into an empty database, and index them."""
    batch: list[str] = []
    for number, name in enumerate(made_names(count), 1):
        batch.append(name)
        if len(batch) == _BATCH or number == count:
            await connection.write(_CREATE, names=batch)
            batch = []
    await index_graph(connection)


def found(places: Iterable[Place], mentions: Sequence[Mention], most: int) -> bool:
    """Whether each name has a mention whose first `most` links hold all its nodes.

    A name of more nodes may have as many links as nodes.
    """
    return all(any(_says(place, mention, most) for mention in mentions) for place in places)


def _says(place: Place, mention: Mention, most: int) -> bool:
    best = mention.links[: max(most, len(place.nodes))]
    overlaps = mention.start < place.end and place.start < mention.end
    return overlaps and place.nodes <= {one.node.id for one in best}


def _figure(what: str, asked: Sequence[Asked]) -> Figure:
    p50, p95 = np.percentile([1000 * one.seconds for one in asked], (50, 95))
    first, five = mean(one.first for one in asked), mean(one.five for one in asked)
    ours = f"recall@1 {first:.3f}, @5 {five:.3f}, p50 {p50:.1f} ms, p95 {p95:.1f} ms"
    return Figure(f"{what} ({len(asked)})", ours)
