"""Relation paths that exist, sampled from a graph: what questions are made of."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from trellis.automata.frontier import Walker
from trellis.domain.errors import EmptyGraphError
from trellis.domain.ports import Graph, Schema
from trellis.domain.values import Neighbourhood, NodeId, Revisit, Step
from trellis.training.supervision import sequences

Steps = tuple[Step, ...]

_PROBES = 64
_EDGES = 20_000  # entries of one sampled neighbourhood


@dataclass(frozen=True, slots=True)
class Trail:
    """A relation path, the labels of the nodes that it ends each step in, how many anchors
    of the sample have it."""

    steps: Steps
    labels: tuple[str | None, ...]
    count: int


async def trails(
    graph: Graph, schema: Schema, hops: int, revisit: Revisit, seed: int, anchors: int = 400
) -> list[Trail]:
    """The relation paths of up to `hops` steps from sampled anchors, most frequent first."""
    counts: Counter[Steps] = Counter()
    for anchor in await sample(graph, anchors, seed):
        around = await graph.neighbourhood([anchor], hops, edge_budget=_EDGES, names=False)
        counts.update(_paths(around, hops, revisit))
    if not counts:
        raise EmptyGraphError("no sampled node has a relationship", "load a graph: `trellis load`")
    found = [Trail(steps, labels(schema, steps), count) for steps, count in counts.items()]
    return sorted(found, key=lambda trail: (-trail.count, trail.steps))


async def sample(graph: Graph, count: int, seed: int) -> list[NodeId]:
    """Nodes of all parts of the graph: near random directions of meaning, and around those."""
    drawn = np.random.default_rng(seed).standard_normal((_PROBES, 384)).astype(np.float32)
    drawn /= np.linalg.norm(drawn, axis=1, keepdims=True)
    found = [link.node.id for links in await graph.by_vector(drawn, 2) for link in links]
    picked = dict.fromkeys(found)
    generator = random.Random(seed)
    for start in list(picked):
        around = await graph.neighbourhood([start], 2, edge_budget=_EDGES, names=False)
        nodes = list(around.nodes)
        share = max(1, count // max(1, len(found)))
        picked |= dict.fromkeys(generator.sample(nodes, min(share, len(nodes))))
    return list(picked)[:count]


def labels(schema: Schema, steps: Steps) -> tuple[str | None, ...]:
    """The label of the nodes that each step ends in, where the schema leaves one only."""
    here: set[str] | None = None
    said: list[str | None] = []
    for step in steps:
        ends = [
            (kind.end_label, kind.start_label)
            if step.reversed
            else (kind.start_label, kind.end_label)
            for kind in schema.relationships
            if kind.type == step.relation
        ]
        going = [end for start, end in ends if here is None or start in here]
        here = set(going or [end for _, end in ends])
        said.append(next(iter(here)) if len(here) == 1 else None)
    return tuple(said)


def _paths(around: Neighbourhood, hops: int, revisit: Revisit) -> Sequence[Steps]:
    walker = Walker(around, revisit, keep=False)
    origin = [walker.origin(int(anchor)) for anchor in around.anchors]
    return list(sequences(walker, origin, hops))
