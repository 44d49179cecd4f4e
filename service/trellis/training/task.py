"""Task `path`, from a loaded graph to a model folder: what `trellis train --task path` does."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable, Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

import torch

from trellis.domain.errors import EmptyGraphError, TrainingError
from trellis.domain.ports import Graph, Schema
from trellis.domain.values import Mention, ModelCard
from trellis.engines.folder import write_folder
from trellis.graph.progress import Progress
from trellis.training import lessons, loop, mini
from trellis.training.examples import encode, relation_segments
from trellis.training.lessons import Lesson
from trellis.training.loop import Plan, Run, Trained
from trellis.training.questions import Asked, read_questions, wording

TASKS = ("path",)

Linker = Callable[[str, Collection[str]], Awaitable[tuple[Mention, ...]]]
"""Links a question, given the words that are the questions' own."""


@dataclass(frozen=True, slots=True)
class Options:
    """What the user asked for; None: what suits."""

    out: Path
    questions: tuple[Path, ...] = ()
    base: str | None = None
    full: bool = False
    hops: int | None = None
    limit: int | None = None
    seed: int = 0
    steps: int | None = None
    edge_budget: int = 200_000


@dataclass(frozen=True, slots=True)
class Outcome:
    """What was trained, and from what."""

    card: ModelCard
    examples: int
    trained: Trained
    seconds: float


async def train_path(
    graph: Graph, link: Linker, options: Options, cache: Path, report: Progress | None = None
) -> Outcome:
    """Train on the loaded graph and leave a model folder at `options.out`.

    Raises EmptyGraphError, FileFormatError, TrainingError, ModelMissingError.
    """
    began = time.monotonic()
    schema = await graph.schema()
    if not schema.edges:
        raise EmptyGraphError("the graph has no relationship to learn", "load one: `trellis load`")
    lesson, words = await _lesson(graph, schema, link, options)
    card, trained = await asyncio.to_thread(_trained, lesson, schema, words, options, cache, report)
    return Outcome(card, len(lesson.examples), trained, time.monotonic() - began)


async def _lesson(
    graph: Graph, schema: Schema, link: Linker, options: Options
) -> tuple[Lesson, tuple[str, ...]]:
    if not options.questions:
        raise TrainingError("no questions were given", "name a file: --questions FILE")
    asked = _picked(read_questions(options.questions), options.limit, options.seed)
    own = wording(asked)
    lesson = await lessons.from_questions(
        asked,
        graph,
        lambda text: link(text, own),
        hops=options.hops,
        edge_budget=options.edge_budget,
    )
    return lesson, own


def _trained(
    lesson: Lesson,
    schema: Schema,
    words: tuple[str, ...],
    options: Options,
    cache: Path,
    report: Progress | None,
) -> tuple[ModelCard, Trained]:
    """Train the base that was picked, and write its folder."""
    segments = relation_segments(sorted({kind.type for kind in schema.relationships}))
    with _threads(1):
        model = mini.new(lesson.examples, segments, mini.Shape(), options.seed)
        rows = encode(lesson.examples, model.vocabulary, segments)
        plan = Plan(steps=options.steps or mini.steps_for(rows), seed=options.seed)
        run = Run(options.out / ".run", {**asdict(plan), "rows": repr(rows), "base": "mini"})
        trained = loop.fit(model.model, rows, plan, run, report)
    card = _card(lesson, "mini", model.vocabulary.fingerprint, words, options, trained)
    write_folder(options.out, card, model.save)
    return card, trained


def _card(
    lesson: Lesson,
    base: str,
    vocabulary: str,
    words: tuple[str, ...],
    options: Options,
    trained: Trained,
) -> ModelCard:
    said = {
        **lesson.source,
        "examples": len(lesson.examples),
        "steps": trained.steps,
        "seed": options.seed,
        "loss": round(trained.loss, 6),
    }
    return ModelCard(
        task="path",
        base=base,
        hops=lesson.hops,
        revisit=lesson.revisit,
        meets=lesson.meets,
        wording=words,
        vocabulary=vocabulary,
        training=said,
    )


def _picked(asked: Sequence[Asked], limit: int | None, seed: int) -> list[Asked]:
    """At most `limit` of the questions, at random."""
    if limit is None or limit >= len(asked):
        return list(asked)
    return random.Random(seed).sample(list(asked), limit)


@contextmanager
def _threads(count: int) -> Iterator[None]:
    """Equal sums need an equal number of threads."""
    before = torch.get_num_threads()
    torch.set_num_threads(count)
    try:
        yield
    finally:
        torch.set_num_threads(before)
