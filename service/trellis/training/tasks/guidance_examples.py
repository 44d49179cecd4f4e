"""Examples of task `guidance`: the entities that lie on paths from their anchors to the answers."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np

from trellis.automata.paths.adjacency import concatenate_ranges
from trellis.automata.patterns.order import put_in_order
from trellis.domain.graphs.graph import Neighbourhood, Step
from trellis.domain.graphs.links import Mention
from trellis.steps.ground.patterns.guide_entities import list_triple_texts
from trellis.steps.link.anchors import list_anchor_ids
from trellis.training.examples import MentionPath, build_path_pattern
from trellis.training.guidance_models.lesson import GuidanceExample, Rows, TracedStep


def build_guidance_example(
    around: Neighbourhood, mentions: Sequence[Mention], paths: Sequence[MentionPath]
) -> GuidanceExample | None:
    """The example of paths around their mentions; None where they lead nowhere."""
    starts = [_find_rows(around, mentions[path.mention]) for path in paths]
    forward = [
        _walk_forward(around, start, path.steps) for start, path in zip(starts, paths, strict=True)
    ]
    ends = forward[0][-1]
    for layers in forward[1:]:
        ends = np.intersect1d(ends, layers[-1])
    if not len(ends):
        return None
    traced: list[TracedStep] = []
    meant = [ends]
    for layers, path in zip(forward, paths, strict=True):
        for step in _trace_back(around, layers, path.steps, ends):
            traced.append(step)
            meant.append(step.sources)
    texts = list_triple_texts(put_in_order(build_path_pattern(paths)), mentions)
    return GuidanceExample(
        around,
        texts,
        np.unique(np.concatenate(starts)),
        np.unique(np.concatenate(meant)),
        tuple(traced),
    )


def draw_steps(around: Neighbourhood, hops: int, generator: random.Random) -> tuple[Step, ...]:
    """The steps of a random walk of up to `hops` relationships from the anchor that does not turn
    back at once; empty where it has none."""
    row, steps = int(around.anchors[0]) if len(around.anchors) else -1, list[Step]()
    before = -1
    for _ in range(generator.randint(1, hops)):
        entries = list(around.entries_of(row)) if row >= 0 else []
        onward = [entry for entry in entries if entry.target not in (row, before)]
        if not onward:
            break
        step = generator.choice(sorted({entry.step for entry in onward}))
        chosen = generator.choice([entry for entry in onward if entry.step == step])
        steps.append(step)
        before, row = row, chosen.target
    return tuple(steps)


def _find_rows(around: Neighbourhood, mention: Mention) -> Rows:
    ids = set(list_anchor_ids(mention))
    return np.array([row for row in around.anchors if around.nodes[row] in ids], np.int64)


def _walk_forward(around: Neighbourhood, start: Rows, steps: Sequence[Step]) -> list[Rows]:
    """The rows that are reached after each step, those of the start first."""
    layers = [start]
    for step in steps:
        _, targets = _list_pairs(around, layers[-1], step)
        layers.append(np.unique(targets))
    return layers


def _trace_back(
    around: Neighbourhood, layers: Sequence[Rows], steps: Sequence[Step], ends: Rows
) -> list[TracedStep]:
    """Each step with the rows from which it leads to an answer, and those that it leads to."""
    traced: list[TracedStep] = []
    for layer, step in zip(reversed(layers[:-1]), reversed(steps), strict=True):
        sources, targets = _list_pairs(around, layer, step)
        leads = np.isin(targets, ends)
        ends = np.unique(sources[leads])
        traced.append(TracedStep(step, ends, np.unique(targets[leads])))
    return traced


def _list_pairs(around: Neighbourhood, rows: Rows, step: Step) -> tuple[Rows, Rows]:
    """The rows that a step leaves and reaches from some rows, a pair for each relationship."""
    if step.relation not in around.relation_types:
        return np.empty(0, np.int64), np.empty(0, np.int64)
    sizes = np.diff(around.offsets)[rows]
    entries = concatenate_ranges(around.offsets[rows], sizes)
    sources = np.repeat(rows, sizes)
    kind = around.relation_types.index(step.relation)
    fits = (around.types[entries] == kind) & (around.directions[entries] == step.reversed)
    return sources[fits], around.targets[entries[fits]].astype(np.int64)
