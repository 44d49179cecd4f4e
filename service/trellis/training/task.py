"""Task `path`, from a loaded graph to a model folder: what `trellis train --task path` does."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from trellis.domain.errors import EmptyGraphError
from trellis.domain.ports import Embedder, Graph
from trellis.domain.schema import Schema
from trellis.domain.values import Mention, ModelCard, Revisit
from trellis.graph.progress import Progress, silent
from trellis.models.folder import check_target, write_folder
from trellis.training import lessons
from trellis.training.examples import encode, relation_segments
from trellis.training.learners import MINI, RUN, learner
from trellis.training.lessons import DEFAULT_HOPS, Lesson
from trellis.training.loop import Trained
from trellis.training.questions import Asked, read_questions, wording
from trellis.training.synthesis.lesson import from_graph

TASKS = ("path",)

Linker = Callable[[str, Collection[str]], Awaitable[tuple[Mention, ...]]]
"""Links a question, given the words that are the questions' own."""


FEW = 4_000
"""Fewer examples than this are helped by questions made from the graph, as many."""


@dataclass(frozen=True, slots=True)
class Options:
    """What the user asked for; None: what suits.

    `limit`: use this many questions, or synthesise this many. `wording`: a graph's own phrases.
    """

    out: Path
    questions: tuple[Path, ...] = ()
    base: str | None = None
    full: bool = False
    hops: int | None = None
    limit: int | None = None
    seed: int = 0
    steps: int | None = None
    revisit: Revisit | None = None
    wording: Path | None = None
    edge_budget: int = 200_000
    device: str | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What was trained, and from what; `seconds` of this run, reading and linking included."""

    card: ModelCard
    examples: int
    trained: Trained
    seconds: float


async def train_path(
    graph: Graph,
    embedder: Embedder,
    link: Linker,
    options: Options,
    cache: Path,
    report: Progress = silent,
) -> Outcome:
    """Train on the loaded graph and leave a model folder at `options.out`.

    Goes on where an unfinished run with the same arguments stopped. Raises EmptyGraphError,
    FileFormatError, InputError, TrainingError, ModelMissingError.
    """
    began = time.monotonic()
    check_target(options.out, RUN)
    schema = await graph.schema()
    if not schema.edges:
        raise EmptyGraphError("the graph has no relationship to learn", "load one: `trellis load`")
    if options.questions:
        lesson, words = await _from_questions(graph, link, options)
        if len(lesson.examples) < FEW:
            lesson, words = await _helped(lesson, words, graph, embedder, schema, options)
    else:
        lesson, words = await _from_graph(graph, embedder, schema, options)
    card, trained = await asyncio.to_thread(_train, lesson, schema, words, options, cache, report)
    return Outcome(card, len(lesson.examples), trained, time.monotonic() - began)


async def _from_questions(
    graph: Graph, link: Linker, options: Options
) -> tuple[Lesson, tuple[str, ...]]:
    asked = _picked(read_questions(options.questions), options.limit, options.seed)
    own = wording(asked)
    lesson = await lessons.from_questions(
        asked,
        graph,
        lambda text: link(text, own),
        hops=options.hops,
        edge_budget=options.edge_budget,
        revisit=options.revisit,
    )
    return lesson, own


async def _helped(
    lesson: Lesson,
    words: tuple[str, ...],
    graph: Graph,
    embedder: Embedder,
    schema: Schema,
    options: Options,
) -> tuple[Lesson, tuple[str, ...]]:
    """Few questions, and beside them as many that are made: for wordings that they lack."""
    same = replace(options, hops=lesson.hops, revisit=lesson.revisit, limit=FEW)
    made, more = await _from_graph(graph, embedder, schema, same, meets=lesson.meets)
    return lesson.beside(made), tuple(sorted({*words, *more}))


async def _from_graph(
    graph: Graph, embedder: Embedder, schema: Schema, options: Options, *, meets: bool = True
) -> tuple[Lesson, tuple[str, ...]]:
    return await from_graph(
        graph,
        embedder,
        schema,
        hops=options.hops or DEFAULT_HOPS,
        revisit=options.revisit or "any",
        count=options.limit,
        seed=options.seed,
        wording=options.wording,
        meets=meets,
    )


def _train(
    lesson: Lesson,
    schema: Schema,
    words: tuple[str, ...],
    options: Options,
    cache: Path,
    report: Progress,
) -> tuple[ModelCard, Trained]:
    """Train the base that was picked, and write its folder."""
    segments = relation_segments(sorted({kind.type for kind in schema.relationships}))
    student = learner(options.base or MINI, lesson.examples, segments, options, cache)
    rows = encode(lesson.examples, student.vocabulary, segments)
    trained = student.fit(rows, options.steps, options.seed, options.out / RUN, report)
    card = ModelCard(
        task="path",
        base=student.base,
        hops=lesson.hops,
        revisit=lesson.revisit,
        meets=lesson.meets,
        wording=words,
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


def _picked(asked: Sequence[Asked], limit: int | None, seed: int) -> list[Asked]:
    """At most `limit` of the questions, at random."""
    if limit is None or limit >= len(asked):
        return list(asked)
    return random.Random(seed).sample(list(asked), limit)
