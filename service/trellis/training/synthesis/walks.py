"""Relation paths that exist, sampled from a graph: what questions are made of."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from trellis.automata.frontier import Walker
from trellis.domain.graph import Neighbourhood, NodeId, Revisit, Step
from trellis.domain.ports import Embedder, Graph
from trellis.domain.schema import Schema
from trellis.training.language_models.words import frequent_words
from trellis.training.supervision.paths.explanations import find_sequences

Steps = tuple[Step, ...]

_PROBES = 96  # words whose nodes sampling starts from
_FLAT = 0.4
_EDGES = 20_000  # entries of one sampled neighbourhood


@dataclass(frozen=True, slots=True)
class SampledPath:
    """A relation path, the labels of the nodes that it ends each step in, how many anchors
    of the sample have it."""

    steps: Steps
    labels: tuple[str | None, ...]
    count: int

    @property
    def weight(self) -> float:
        """How often it is asked for: more where it is frequent, but far from in proportion."""
        return float(self.count**_FLAT)


async def sample_paths(
    graph: Graph,
    embedder: Embedder,
    schema: Schema,
    hops: int,
    revisit: Revisit,
    seed: int,
    anchors: int = 400,
) -> list[SampledPath]:
    """The relation paths of up to `hops` steps from sampled anchors, most frequent first.

    Relations that the sample misses are single steps of the schema.
    """
    counts: Counter[Steps] = Counter()
    for anchor in await sample_nodes(graph, embedder, anchors, seed):
        around = await graph.neighbourhood([anchor], hops, edge_budget=_EDGES, names=False)
        counts.update(_list_paths(around, hops, revisit))
    for kind in schema.relationships:
        for back in (False, True):
            counts.setdefault((Step(kind.type, back),), 1)
    found = [
        SampledPath(steps, label_steps(schema, steps), count) for steps, count in counts.items()
    ]
    return sorted(found, key=lambda trail: (-trail.count, trail.steps))


async def sample_nodes(graph: Graph, embedder: Embedder, count: int, seed: int) -> list[NodeId]:
    """Nodes of all parts of the graph: what random words find, and the nodes around those."""
    generator = random.Random(seed)
    probes = generator.sample(frequent_words(5_000), _PROBES)
    near = await graph.search_by_vector(embedder.embed(probes), 2)
    told = await graph.search_by_text(probes, 1)
    found = dict.fromkeys(link.node.id for links in (*near, *told) for link in links)
    picked = dict(found)
    share = max(1, 2 * count // max(1, len(found)))
    for start in found:
        around = await graph.neighbourhood([start], 2, edge_budget=_EDGES, names=False)
        picked |= dict.fromkeys(generator.sample(around.nodes, min(share, len(around.nodes))))
    return generator.sample(list(picked), min(count, len(picked)))


def label_steps(schema: Schema, steps: Steps) -> tuple[str | None, ...]:
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


def _list_paths(around: Neighbourhood, hops: int, revisit: Revisit) -> Sequence[Steps]:
    walker = Walker(around, revisit, keep_pairs=False)
    origin = [walker.start_front(int(anchor)) for anchor in around.anchors]
    return list(find_sequences(walker, origin, hops))
