"""The recall and speed of linking names, by kind of perturbation, on the loaded graph."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from statistics import mean

import numpy as np

from bench.figure import Figure
from bench.made.names import make_names
from bench.made.perturbations import (
    WORDING,
    GraphNames,
    NameSpan,
    PerturbedQuestion,
    generate_questions,
)
from trellis.domain.graphs.graph import Node
from trellis.domain.graphs.links import Mention
from trellis.domain.ports import Embedder, Graph
from trellis.graph.database.connection import GraphConnection
from trellis.graph.database.names import NAMED
from trellis.graph.indexes.indexing import index_graph
from trellis.graph.neo4j_graph import Neo4jGraph
from trellis.steps.link.link import link_mentions

_NAMES = f"MATCH (n:{NAMED}) RETURN elementId(n) AS id, n._trellis_name AS name ORDER BY id"
_CREATE = "UNWIND $names AS name CREATE (:Made {name: name})"
_BATCH = 10_000


@dataclass(frozen=True, slots=True)
class LinkedQuestion:
    """A linked question: whether all its names are found first or among five, and the seconds."""

    question: PerturbedQuestion
    found_first: bool
    found_in_five: bool
    seconds: float
    mentions: tuple[Mention, ...]


async def measure_linking(
    connection: GraphConnection,
    name: str,
    embedder: Embedder | None = None,
    count_per_kind: int = 50,
) -> list[Figure]:
    """Recall and milliseconds of each kind, and of all, on the graph of this connection."""
    asked = await link_questions(
        Neo4jGraph(connection), await read_names(connection), embedder, count_per_kind
    )
    kinds: dict[str, list[LinkedQuestion]] = defaultdict(list)
    for linked in asked:
        kinds[linked.question.kind].append(linked)
    return [_build_figure(f"linking, {name}, {kind}", some) for kind, some in kinds.items()] + [
        _build_figure(f"linking, {name}, all kinds", asked)
    ]


async def measure_made_up_names(
    connection: GraphConnection, count: int = 1_000_000
) -> list[Figure]:
    """As `measure_linking`, on an empty database that is filled with made-up names."""
    await fill_with_made_names(connection, count)
    return await measure_linking(connection, f"{count:,} made-up names")


async def link_questions(
    graph: Graph,
    names: GraphNames,
    embedder: Embedder | None = None,
    count_per_kind: int = 50,
    wording: Collection[str] = WORDING,
    seed: int = 1,
) -> list[LinkedQuestion]:
    """Link all questions, one after the other; about twenty are linked once before to warm up."""
    questions = list(generate_questions(names, count_per_kind, seed))
    for question in questions[:: max(1, len(questions) // 20)]:
        await link_mentions(question.question, graph, embedder, wording)
    asked = []
    for question in questions:
        began = time.perf_counter()
        mentions = await link_mentions(question.question, graph, embedder, wording)
        seconds = time.perf_counter() - began
        first, five = (are_all_found(question.spans, mentions, most) for most in (1, 5))
        asked.append(LinkedQuestion(question, first, five, seconds, mentions))
    return asked


async def read_names(connection: GraphConnection) -> GraphNames:
    return GraphNames([Node(r["id"], r["name"]) async for r in connection.stream_rows(_NAMES)])


async def fill_with_made_names(connection: GraphConnection, count: int) -> None:
    """Write `count` nodes with made-up names into an empty database, and index them."""
    batch: list[str] = []
    for number, name in enumerate(make_names(count), 1):
        batch.append(name)
        if len(batch) == _BATCH or number == count:
            await connection.run_write(_CREATE, names=batch)
            batch = []
    await index_graph(connection)


def are_all_found(spans: Iterable[NameSpan], mentions: Sequence[Mention], limit: int) -> bool:
    """Whether each name has a mention whose first `limit` links hold all its nodes.

    A name of more nodes may have as many links as nodes.
    """
    return all(any(_is_found(place, mention, limit) for mention in mentions) for place in spans)


def _is_found(span: NameSpan, mention: Mention, limit: int) -> bool:
    best = mention.links[: max(limit, len(span.nodes))]
    overlaps = mention.start < span.end and span.start < mention.end
    return overlaps and span.nodes <= {one.node.id for one in best}


def _build_figure(name: str, asked: Sequence[LinkedQuestion]) -> Figure:
    p50, p95 = np.percentile([1000 * one.seconds for one in asked], (50, 95))
    first, five = mean(one.found_first for one in asked), mean(one.found_in_five for one in asked)
    ours = f"recall@1 {first:.3f}, @5 {five:.3f}, p50 {p50:.1f} ms, p95 {p95:.1f} ms"
    return Figure(f"{name} ({len(asked)})", ours)
