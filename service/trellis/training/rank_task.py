"""Task `rank`, from a loaded graph to a model folder: what `trellis train --task rank` does."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from trellis.domain.errors import EmptyGraphError, TrainingError
from trellis.domain.graph import Scalar
from trellis.domain.ports import Graph, LanguageModel, Queries
from trellis.domain.schema import Schema
from trellis.graph.progress import Progress, silent
from trellis.models.folder import check_target
from trellis.steps.queries.link_values import link_values
from trellis.steps.queries.rank_answers import ANSWERS, DOES_NOT
from trellis.steps.queries.settings import CypherSettings, RankSettings
from trellis.training.cypher_task import EXPLAINED, RENDERING, Told, explained
from trellis.training.examples import Example
from trellis.training.learners import RUN
from trellis.training.mini import Shape
from trellis.training.options import Options, Outcome, picked
from trellis.training.questions import Asked, read_questions
from trellis.training.rank_lessons import RankLessons
from trellis.training.teaching import teach

SHAPE = Shape(width=128, layers=3, heads=4)
"""A mini's size."""

STEPS = 2_000
"""A mini's steps: a row teaches one word, so it takes more rows than sentences do."""


@dataclass(frozen=True, slots=True)
class _Lesson:
    examples: tuple[Example, ...]
    source: Mapping[str, Scalar]


async def train_rank(
    graph: Graph,
    queries: Queries,
    writer: LanguageModel | None,
    options: Options,
    cache: Path,
    report: Progress = silent,
) -> Outcome:
    """Train on the loaded graph and leave a model folder at `options.out`.

    `writer`: the model whose queries' answers will be ranked; None: queries near the right ones
    stand in for its. Goes on where an unfinished run with the same arguments stopped. Raises
    EmptyGraphError, FileFormatError, InputError, TrainingError, ModelMissingError.
    """
    began = time.monotonic()
    check_target(options.out, RUN)
    schema = await graph.schema()
    if not schema.labels:
        raise EmptyGraphError("the graph has no label to ask about", "load one: `trellis load`")
    lesson = await _lesson(graph, queries, writer, schema, options, report)
    settings, said = RankSettings(), (ANSWERS, DOES_NOT)
    card, trained = await asyncio.to_thread(
        teach, lesson, said, settings, options, cache, report, SHAPE, STEPS
    )
    return Outcome(card, len(lesson.examples), trained, time.monotonic() - began)


async def _lesson(
    graph: Graph,
    queries: Queries,
    writer: LanguageModel | None,
    schema: Schema,
    options: Options,
    report: Progress,
) -> _Lesson:
    asked = picked(read_questions(options.questions), options.limit, options.seed)
    bare = picked([one for one in asked if not one.cypher], EXPLAINED, options.seed)
    told = await explained(bare, graph, queries, options, report) if bare else Told()
    those: Sequence[Asked] = [*(one for one in asked if one.cypher), *told.asked]
    lessons = RankLessons(
        graph,
        queries,
        schema,
        lambda text: link_values(text, graph),
        writer.card.settings(CypherSettings).options if writer else RENDERING,
        options.seed,
        writer,
    )
    made = await lessons.examples(those)
    if not made:
        raise TrainingError(
            f"none of {len(asked)} questions has answers that can be learnt from",
            "give questions over the loaded graph with `answers`, or `cypher` that returns some",
        )
    source: dict[str, Scalar] = {"questions": len(asked), "ranked": len(made)}
    return _Lesson(tuple(chain.from_iterable(made)), source)
