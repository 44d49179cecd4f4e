"""Task `cypher`, from a loaded graph to a model folder: what `trellis train --task cypher` does."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

from trellis.automata.cypher.language import CypherLanguage
from trellis.automata.cypher.patterns import Manner
from trellis.domain.errors import EmptyGraphError
from trellis.domain.ports import Graph
from trellis.domain.schema import Schema
from trellis.domain.values import ModelCard
from trellis.graph.progress import Progress, silent
from trellis.models.folder import check_target, write_folder
from trellis.steps.link_values import link_values
from trellis.steps.retrieve_queries import manner_said
from trellis.training.cypher_lessons import CypherLesson, from_queries, query_segments
from trellis.training.examples import encode
from trellis.training.learners import MINI, RUN, learner
from trellis.training.loop import Trained
from trellis.training.options import Options, Outcome, picked
from trellis.training.questions import read_questions

MANNER = Manner()
"""How queries are said: the manner that trains best, as measured."""


async def train_cypher(
    graph: Graph, options: Options, cache: Path, report: Progress = silent
) -> Outcome:
    """Train on the loaded graph and leave a model folder at `options.out`.

    Goes on where an unfinished run with the same arguments stopped. Raises EmptyGraphError,
    FileFormatError, InputError, TrainingError, ModelMissingError.
    """
    began = time.monotonic()
    check_target(options.out, RUN)
    schema = await graph.schema()
    if not schema.labels:
        raise EmptyGraphError("the graph has no label to ask about", "load one: `trellis load`")
    lesson = await _lesson(graph, schema, options)
    card, trained = await asyncio.to_thread(_train, lesson, schema, options, cache, report)
    return Outcome(card, len(lesson.examples), trained, time.monotonic() - began)


async def _lesson(graph: Graph, schema: Schema, options: Options) -> CypherLesson:
    asked = picked(read_questions(options.questions), options.limit, options.seed)
    return await from_queries(asked, schema, lambda text: link_values(text, graph), MANNER)


def _train(
    lesson: CypherLesson, schema: Schema, options: Options, cache: Path, report: Progress
) -> tuple[ModelCard, Trained]:
    """Train the base that was picked, and write its folder."""
    segments = query_segments(CypherLanguage(schema, (), MANNER))
    student = learner(options.base or MINI, lesson.examples, segments, options, cache)
    rows = encode(lesson.examples, student.vocabulary, segments)
    trained = student.fit(rows, options.steps, options.seed, options.out / RUN, report)
    card = ModelCard(
        task="cypher",
        base=student.base,
        manner=manner_said(MANNER),
        vocabulary=student.vocabulary.fingerprint,
        training={
            **lesson.source,
            "examples": len(lesson.examples),
            "steps": trained.steps,
            "seed": options.seed,
            "loss": round(trained.loss, 6),
        },
    )
    write_folder(options.out, card, student.save)
    return card, trained
