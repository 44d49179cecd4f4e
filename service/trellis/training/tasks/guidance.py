"""Task `guidance`: lessons of schema graphs and the entities that answer them.

Source: STEM, appendix C: what is meant are the entities of a question's reasoning paths. Questions
teach it by their gold or explained paths; the graph alone by paths that are drawn from it.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from trellis.domain.errors import TrainingError
from trellis.domain.graphs.graph import Neighbourhood, Node, NodeId
from trellis.domain.graphs.links import Link, Mention
from trellis.steps.link.anchors import list_anchor_ids
from trellis.steps.retrieve.schema_graphs.settings import GuidanceSettings
from trellis.training.contract import LessonRequest, TrainedModel, TrainingTask
from trellis.training.examples import MentionPath
from trellis.training.guidance_models.lesson import GuidanceExample, GuidanceLesson
from trellis.training.means import TrainingContext
from trellis.training.options import TrainingOptions
from trellis.training.supervision.paths.path_readings import place_paths
from trellis.training.supervision.paths.plain_queries import read_plain_queries
from trellis.training.synthesis.walks import sample_nodes
from trellis.training.tasks.guidance_examples import build_guidance_example, draw_steps
from trellis.training.tasks.path_examples import PathExamples, make_path_examples

_MOST_EXAMPLES = 600
_EDGES = 20_000  # of the neighbourhood of an example
_WIDTH = 64


AnchoredPaths = tuple[tuple[Mention, ...], tuple[MentionPath, ...]]
"""Mentions, and paths from them that meet in what is asked for."""


async def make_guidance_lesson(request: LessonRequest) -> GuidanceLesson:
    """The lesson of some questions, or of the graph alone."""
    made = await make_path_examples(read_plain_queries(request))
    asked = _list_explained(made, request.options.seed)
    examples = await _build_examples(request, asked, made.hops)
    drawn = await _draw_examples(request, made.hops, _MOST_EXAMPLES - len(examples))
    if not examples and not drawn:
        raise TrainingError("no path around a node can be learnt from", "load a larger graph")
    schema, embedder = request.schema, request.means.embedder
    settings = GuidanceSettings(
        hops=made.hops,
        width=_WIDTH,
        layers=made.hops + 1,
        dimensions=embedder.dimensions,
        fingerprint=schema.fingerprint,
        embedder=str(getattr(embedder, "name", "")),
        relations=schema.relation_types,
    )
    source = {"asked": len(examples), "drawn": len(drawn)}
    return GuidanceLesson(settings, (*examples, *drawn), source)


def _train_network(
    lessons: Sequence[GuidanceLesson], means: TrainingContext, options: TrainingOptions
) -> TrainedModel:
    """Train a Triple-GNN for the one lesson."""
    # torch is not in every install, and slow to load
    from trellis.training.guidance_models.training import train_guidance

    [lesson] = lessons
    return train_guidance(lesson, means, options)


GUIDANCE = TrainingTask(
    GuidanceSettings,
    _train_network,
    make_guidance_lesson,
    graph_needs="relationship",
    gold=("paths", "cypher", "answers"),
    is_shared=False,
)


def _list_explained(made: PathExamples, seed: int) -> list[AnchoredPaths]:
    """The questions with their paths; at most half of all examples."""
    found: list[AnchoredPaths] = []
    for question in made.explained:
        reading = question.readings[0]
        paths = place_paths(reading, question.paths)
        if paths:
            found.append((reading.mentions, paths))
    most = _MOST_EXAMPLES // 2
    return random.Random(seed).sample(found, most) if len(found) > most else found


async def _build_examples(
    request: LessonRequest, asked: Sequence[AnchoredPaths], hops: int
) -> list[GuidanceExample]:
    examples = []
    for number, (mentions, paths) in enumerate(asked, 1):
        ids = dict.fromkeys(id for mention in mentions for id in list_anchor_ids(mention))
        around = await _look_around(request, list(ids), hops)
        example = build_guidance_example(around, mentions, paths)
        examples += [example] if example else []
        request.means.report("guidance examples", number, len(asked))
    return examples


async def _draw_examples(request: LessonRequest, hops: int, count: int) -> list[GuidanceExample]:
    """Examples of paths that are drawn around nodes from all parts of the graph."""
    means, options = request.means, request.options
    generator = random.Random(options.seed)
    nodes = await sample_nodes(means.graph, means.embedder, count, options.seed)
    names = await _read_names(request, nodes)
    examples = []
    for number, id in enumerate(nodes, 1):
        around = await _look_around(request, [id], hops)
        steps = draw_steps(around, hops, generator)
        if steps:
            mention = Mention(0, 0, names[id], (Link(Node(id, names[id]), 1.0, "given"),))
            example = build_guidance_example(around, (mention,), (MentionPath(0, steps),))
            examples += [example] if example else []
        means.report("guidance examples", number, len(nodes))
    return examples


async def _look_around(request: LessonRequest, ids: Sequence[NodeId], hops: int) -> Neighbourhood:
    budget = min(_EDGES, request.options.edge_budget)
    return await request.means.graph.neighbourhood(ids, hops, edge_budget=budget, names=False)


async def _read_names(request: LessonRequest, nodes: Sequence[NodeId]) -> dict[NodeId, str]:
    around = await request.means.graph.neighbourhood(nodes, 0, edge_budget=0, names=True)
    named = dict(zip(around.nodes, around.names, strict=True))
    return {id: named.get(id, "") for id in nodes}
