"""From a loaded graph to a model folder: what `trellis train` does, whatever the tasks."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from trellis.domain.card import ModelCard
from trellis.domain.errors import EmptyGraphError, TrainingError
from trellis.domain.graph import Scalar
from trellis.domain.schema import Schema
from trellis.domain.sharing import share_work
from trellis.models.folder import check_target, write_folder
from trellis.questions.reading import read_questions
from trellis.questions.row import QuestionRow
from trellis.training.contract import (
    Lesson,
    LessonRequest,
    ModelKind,
    TaskFigures,
    TrainedModel,
    TrainingTask,
)
from trellis.training.graph_examples import check_examples, repeat_examples, select_examples
from trellis.training.judged_questions import keep_questions_apart
from trellis.training.means import TrainingMeans
from trellis.training.options import RUN, TrainingOptions, TrainingOutcome, sample_items
from trellis.training.registry import find_tasks


async def train_tasks(
    names: Sequence[str], means: TrainingMeans, options: TrainingOptions
) -> TrainingOutcome:
    """Train one model of each kind that the tasks need, and leave a folder at `options.out`.

    Goes on where an unfinished run with the same arguments stopped. Raises UnknownTaskError,
    EmptyGraphError, FileFormatError, InputError, TrainingError, ModelMissingError.
    """
    began = time.monotonic()
    tasks = find_tasks(names, has_questions=bool(options.questions))
    check_target(options.out, RUN)
    schema = await means.graph.schema()
    _check_graph(schema, tasks)
    _check_questions(tasks, options)
    for task in tasks:
        check_examples(means.examples, task.gold, schema)
    questions, claims = _read_rows(options)
    questions, judged = keep_questions_apart(questions, options.seed)
    request = LessonRequest(schema, questions, means, options, claims=claims)
    lessons = await _make_lessons(tasks, request)
    models = await asyncio.to_thread(_train_models, tasks, lessons, means, options)
    card = _make_card(lessons, models, options.seed)
    write_folder(options.out, card, lambda folder: _save_models(models, folder))
    examples = sum(lesson.size for lesson in lessons.values())
    return TrainingOutcome(card, examples, time.monotonic() - began, judged)


async def _make_lessons(
    tasks: Sequence[TrainingTask[Any]], request: LessonRequest
) -> dict[str, Lesson]:
    """The lesson of each task; the progress names the one that is made."""
    lessons: dict[str, Lesson] = {}
    async with share_work():
        for task in tasks:
            request.means.report("lessons", len(lessons), len(tasks), f"of task {task.name}")
            lessons[task.name] = await task.make_lesson(_add_examples(request, task))
    request.means.report("lessons", len(lessons), len(tasks), "all made")
    return lessons


def _check_graph(schema: Schema, tasks: Sequence[TrainingTask[Any]]) -> None:
    counts = {"label": len(schema.labels), "relationship": schema.edges}
    for task in tasks:
        if not counts[task.graph_needs]:
            raise EmptyGraphError(
                f"the graph has no {task.graph_needs}, so there is nothing to learn for task "
                f"{task.name!r}",
                "load one: `trellis load`",
            )


def _check_questions(tasks: Sequence[TrainingTask[Any]], options: TrainingOptions) -> None:
    for task in tasks:
        if task.needs_questions and not options.questions:
            raise TrainingError(
                f"the graph alone does not teach task {task.name!r}", "give --questions"
            )


def _read_rows(
    options: TrainingOptions,
) -> tuple[list[QuestionRow] | None, list[QuestionRow]]:
    """The questions, None where there are none, and the claims."""
    rows = sample_items(read_questions(options.questions), options.limit, options.seed)
    return [row for row in rows if not row.claim] or None, [row for row in rows if row.claim]


def _add_examples(request: LessonRequest, task: TrainingTask[Any]) -> LessonRequest:
    """The request with the examples that a task can learn from, among its questions if any."""
    examples = select_examples(request.means.examples, task.gold)
    if request.questions is None:
        return replace(request, examples=examples)
    repeated = repeat_examples(examples, len(request.questions))
    return replace(request, questions=[*request.questions, *repeated])


def _train_models(
    tasks: Sequence[TrainingTask[Any]],
    lessons: Mapping[str, Lesson],
    means: TrainingMeans,
    options: TrainingOptions,
) -> list[TrainedModel]:
    """One model for all tasks of a kind."""
    by_kind: dict[ModelKind[Any], list[Lesson]] = {}
    for task in tasks:
        by_kind.setdefault(task.kind, []).append(lessons[task.name])
    return [kind.train(those, means, options) for kind, those in by_kind.items()]


def _make_card(
    lessons: Mapping[str, Lesson], models: Sequence[TrainedModel], seed: int
) -> ModelCard:
    base = next((model.base for model in models if model.base), "")
    vocabulary = next((model.vocabulary for model in models if model.vocabulary), "")
    found = {task: each for model in models for task, each in model.settings.items()}
    settings = [found.get(task, lesson.settings) for task, lesson in lessons.items()]
    card = ModelCard.of(base, *settings, vocabulary=vocabulary)
    figures = {task: run for model in models for task, run in model.figures.items()}
    training: dict[str, dict[str, Scalar]] = {
        task: {
            **lesson.source,
            "examples": lesson.size,
            "steps": figures[task].steps,
            "seed": seed,
            "loss": round(figures[task].loss, 6),
            **_say_held_loss(figures[task]),
        }
        for task, lesson in lessons.items()
    }
    return replace(card, training=training)


def _say_held_loss(figures: TaskFigures) -> dict[str, Scalar]:
    return {} if figures.held_loss is None else {"held_out_loss": round(figures.held_loss, 6)}


def _save_models(models: Sequence[TrainedModel], folder: Path) -> None:
    for model in models:
        model.save(folder)
