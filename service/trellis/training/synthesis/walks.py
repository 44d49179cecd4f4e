"""Samples relation paths that exist in a graph, to make questions of them."""

from __future__ import annotations

import itertools
import math
import random
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

import numpy as np

from trellis.automata.paths.frontier import Walker
from trellis.domain.errors import NotIndexedError
from trellis.domain.graphs.graph import Neighbourhood, NodeId, Revisit, Step
from trellis.domain.graphs.links import Link
from trellis.domain.graphs.schema import Schema
from trellis.domain.ports import Embedder, Graph
from trellis.graph.database.progress import Progress, ignore_progress
from trellis.training.language_models.words import frequent_words
from trellis.training.supervision.paths.explanations import find_sequences

Steps = tuple[Step, ...]
Ends = Mapping[Step, Sequence[tuple[str, str]]]
"""The labels between which a step goes, as the schema has them."""

_ANCHORS = 1_200  # nodes that paths are sampled from
_PROBES = 96  # words that are searched for to find the first nodes
_FLAT = 0.4  # exponent of a path's count in its weight
_FROM_ONE = 1_000  # different paths from one node, at most
_LEAST_FIT = 0.02  # of two steps
_EDGES = 20_000  # budget of edges of one sampled neighbourhood


@dataclass(frozen=True, slots=True)
class SampledPath:
    """A relation path.

    `labels`: the label of the nodes at the end of each step, None where there may be several.
    `count`: the number of sampled nodes that the path starts from. `start`: the label of these.
    `fit`: in (0, 1], how well its steps go together (`StepCounts.measure_fit`).
    """

    steps: Steps
    labels: tuple[str | None, ...]
    count: int
    start: str | None = None
    fit: float = 1.0

    @property
    def weight(self) -> float:
        """Weight in sampling: it grows with the count, though far less than in proportion."""
        return float(self.count**_FLAT) * self.fit


class StepCounts:
    """How many nodes have each step, and each two: which steps go together by more than chance.

    A year's release date exists where a film is called `1984` and no label tells the two apart; few
    nodes have both steps, and nobody would ask for it.
    """

    def __init__(self) -> None:
        self._seen: set[NodeId] = set()
        self._with: Counter[Step] = Counter()
        self._with_both: Counter[tuple[Step, Step]] = Counter()

    def add_nodes(self, around: Neighbourhood) -> None:
        """Count the nodes of a neighbourhood all of whose relationships are in it."""
        for row in np.flatnonzero(np.diff(around.offsets)):
            if around.nodes[row] in self._seen:
                continue
            self._seen.add(around.nodes[row])
            keys = np.unique(around.keys[around.offsets[row] : around.offsets[row + 1]])
            steps = [around.step_of_key(int(key)) for key in keys]
            self._with.update(steps)
            self._with_both.update(itertools.product(steps, steps))

    def measure_fit(self, steps: Steps) -> float:
        """The product of how much more often than by chance each step starts where the one before
        ends, at most 1 and at least `_LEAST_FIT` for each."""
        return math.prod(map(self._measure_pair, steps, steps[1:]))

    def _measure_pair(self, one: Step, other: Step) -> float:
        ends = Step(one.relation, not one.reversed)
        by_chance = self._with[ends] * self._with[other] / max(1, len(self._seen))
        both = self._with_both[ends, other]
        return min(1.0, max(_LEAST_FIT, both / by_chance)) if by_chance else 1.0


async def sample_paths(
    graph: Graph,
    embedder: Embedder,
    schema: Schema,
    hops: int,
    revisit: Revisit,
    seed: int,
    report: Progress = ignore_progress,
) -> list[SampledPath]:
    """The relation paths of up to `hops` steps from sampled anchors, most frequent first.

    A relation that the sample misses is added as a path of one step.
    """
    counts: Counter[Steps] = Counter()
    generator = random.Random(seed)
    nodes = await sample_nodes(graph, embedder, _ANCHORS, seed)
    together = StepCounts()
    for number, anchor in enumerate(nodes, 1):
        around = await graph.neighbourhood([anchor], hops, edge_budget=_EDGES, names=False)
        found = _list_paths(around, hops, revisit)
        counts.update(found if len(found) <= _FROM_ONE else generator.sample(found, _FROM_ONE))
        together.add_nodes(around)
        report("nodes walked", number, len(nodes))
    for kind in schema.relationships:
        for back in (False, True):
            counts.setdefault((Step(kind.type, back),), 1)
    ends = list_ends(schema)
    paths = [
        SampledPath(
            steps,
            label_steps(ends, steps),
            count,
            label_start(ends, steps[0]),
            together.measure_fit(steps),
        )
        for steps, count in counts.items()
    ]
    return sorted(paths, key=lambda path: (-path.count, path.steps))


async def sample_nodes(graph: Graph, embedder: Embedder, count: int, seed: int) -> list[NodeId]:
    """Nodes from all parts of the graph: those that random words find, and nodes around them; by
    full text alone where the graph was indexed without embeddings."""
    generator = random.Random(seed)
    probes = generator.sample(frequent_words(5_000), _PROBES)
    near: Sequence[Sequence[Link]] = ()
    with suppress(NotIndexedError):
        near = await graph.search_by_vector(embedder.embed(probes), 2)
    matching = await graph.search_by_text(probes, 1)
    starts = dict.fromkeys(link.node.id for links in (*near, *matching) for link in links)
    picked = dict(starts)
    share = max(1, 2 * count // max(1, len(starts)))
    for start in starts:
        around = await graph.neighbourhood([start], 2, edge_budget=_EDGES, names=False)
        picked |= dict.fromkeys(generator.sample(around.nodes, min(share, len(around.nodes))))
    return generator.sample(list(picked), min(count, len(picked)))


def list_ends(schema: Schema) -> Ends:
    """The labels at which each relation starts and ends, whichever way it is walked."""
    ends: dict[Step, list[tuple[str, str]]] = defaultdict(list)
    for kind in schema.relationships:
        ends[Step(kind.type)].append((kind.start_label, kind.end_label))
        ends[Step(kind.type, reversed=True)].append((kind.end_label, kind.start_label))
    return ends


def label_steps(ends: Ends, steps: Steps) -> tuple[str | None, ...]:
    """The label of the nodes at the end of each step; None where the schema allows several."""
    here: set[str] | None = None
    labels: list[str | None] = []
    for step in steps:
        pairs = ends.get(step, ())
        going = [end for start, end in pairs if here is None or start in here]
        here = set(going or [end for _, end in pairs])
        labels.append(next(iter(here)) if len(here) == 1 else None)
    return tuple(labels)


def label_start(ends: Ends, step: Step) -> str | None:
    """The label of the nodes that a step starts from; None where the schema allows several."""
    starts = {start for start, _ in ends.get(step, ())}
    return next(iter(starts)) if len(starts) == 1 else None


def _list_paths(around: Neighbourhood, hops: int, revisit: Revisit) -> Sequence[Steps]:
    """The relation paths from the anchors of a neighbourhood."""
    walker = Walker(around, revisit, keep_pairs=False)
    origin = [walker.start_front(int(anchor)) for anchor in around.anchors]
    return list(find_sequences(walker, origin, hops))
