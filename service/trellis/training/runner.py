"""From loaded graphs to a model folder: what `trellis train` does, whatever the tasks."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from trellis.domain.errors import TrainingError
from trellis.domain.graphs.graph import Scalar
from trellis.domain.models.card import ModelCard, TaskSettings
from trellis.models.folder import check_target, write_folder
from trellis.questions.row import QuestionRow
from trellis.steps.retrieve.queries.settings import RankSettings
from trellis.training.contract import Lesson, TaskFigures, TrainedModel, TrainingTask
from trellis.training.graphs import (
    GraphLessons,
    TaughtGraph,
    check_several,
    make_graph_lessons,
    prepare_reader,
    read_rows,
)
from trellis.training.means import TrainingContext
from trellis.training.options import RUN, TrainingOptions, TrainingOutcome
from trellis.training.registry import ALL, find_tasks, keep_reader_tasks


async def train_tasks(
    names: Sequence[str], means: TrainingContext, options: TrainingOptions
) -> TrainingOutcome:
    """As `train_on_graphs`, on one graph."""
    return await train_on_graphs(names, [TaughtGraph("", means, options.questions)], options)


async def train_on_graphs(
    names: Sequence[str], graphs: Sequence[TaughtGraph], options: TrainingOptions
) -> TrainingOutcome:
    """Train one model of each kind that the tasks need, and leave a folder at `options.out`.

    Goes on where an unfinished run with the same arguments stopped. Raises UnknownTaskError,
    EmptyGraphError, FileFormatError, InputError, TrainingError, ModelMissingError.
    """
    began = time.monotonic()
    tasks = _choose_tasks(names, graphs, options)
    if described := await _read_describing_questions(names, graphs, options):
        # torch is not in every install, and slow to load
        from trellis.training.text_ranker import train_text_ranker

        return await train_text_ranker(described, graphs[0].means, options)
    if options.moves_reader:
        # torch is not in every install, and slow to load
        from trellis.training.reader.tune import tune_reader

        return await tune_reader(tasks, graphs[0], options)
    check_target(options.out, RUN)
    means = graphs[0].means
    reader = await prepare_reader(options, means.cache)
    made = [await make_graph_lessons(graph, tasks, options, reader) for graph in graphs]
    lessons = [lesson for each in made for lesson in each.lessons.values()]
    models = await asyncio.to_thread(_train_models, tasks, made, means, options)
    card = _make_card(made, models, means.general_settings, options.seed)
    if len(graphs) == 1:
        names = sorted((await means.graph.schema()).names)
        card = replace(card, schema_names=tuple(names))
    write_folder(options.out, card, lambda folder: _save_models(models, folder))
    examples = sum(lesson.size for lesson in lessons)
    judged = made[0].judged if len(made) == 1 else ()
    return TrainingOutcome(card, examples, time.monotonic() - began, judged)


async def _read_describing_questions(
    names: Sequence[str], graphs: Sequence[TaughtGraph], options: TrainingOptions
) -> list[QuestionRow]:
    """The questions where task `rank` alone is to be learnt, of one graph with texts, and none of
    them has a query or a path; else none."""
    if [*names] != [RankSettings.task] or len(graphs) > 1 or not graphs[0].questions:
        return []
    if not (await graphs[0].means.graph.indexed_texts()).kinds:
        return []
    rows, _ = read_rows(graphs[0].questions, options)
    return [] if any(row.cypher or row.paths for row in rows or ()) else rows or []


def _choose_tasks(
    names: Sequence[str], graphs: Sequence[TaughtGraph], options: TrainingOptions
) -> list[TrainingTask[Any]]:
    """The tasks that are named; of several graphs, `all` are those that graphs can share."""
    tasks = find_tasks(names, has_questions=all(graph.questions for graph in graphs))
    if options.moves_reader:
        tasks = keep_reader_tasks(tasks, is_all=ALL in names)
    if len(graphs) > 1:
        tasks = [task for task in tasks if task.is_shared] if ALL in names else tasks
        check_several(tasks, options)
    for task in tasks:
        if task.needs_questions and not all(graph.questions for graph in graphs):
            raise TrainingError(
                f"the graph alone does not teach task {task.name!r}", "give --questions"
            )
    return tasks


def _train_models(
    tasks: Sequence[TrainingTask[Any]],
    made: Sequence[GraphLessons],
    means: TrainingContext,
    options: TrainingOptions,
) -> list[TrainedModel]:
    """One model for all tasks of a kind, and for all graphs."""
    by_kind: dict[Callable[..., TrainedModel], list[Lesson]] = {}
    for task in tasks:
        by_kind.setdefault(task.train, []).extend(each.lessons[task.name] for each in made)
    return [train(those, means, options) for train, those in by_kind.items()]


def _make_card(
    made: Sequence[GraphLessons],
    models: Sequence[TrainedModel],
    general: Mapping[str, TaskSettings],
    seed: int,
) -> ModelCard:
    """The card: settings are those of the graph, or those of a model that belongs to none."""
    base = next((model.base for model in models if model.base), "")
    vocabulary = next((model.vocabulary for model in models if model.vocabulary), "")
    shots = next((model.chat_shots for model in models if model.chat_shots is not None), None)
    found = {task: each for model in models for task, each in model.settings.items()}
    known = {**(general if len(made) > 1 else {}), **found}
    settings = [known.get(task, lesson.settings) for task, lesson in made[0].lessons.items()]
    card = ModelCard.of(base, *settings, vocabulary=vocabulary)
    figures = {task: run for model in models for task, run in model.figures.items()}
    training: dict[str, dict[str, Scalar]] = {
        task: {
            **_describe_source([each.lessons[task] for each in made], made),
            "steps": run.steps,
            "seed": seed,
            "loss": round(run.loss, 6),
            **_say_held_loss(run),
        }
        for task, run in ((task, figures[task]) for task in made[0].lessons)
    }
    return replace(card, training=training, is_general=shots is not None, shots=shots)


def _describe_source(lessons: Sequence[Lesson], made: Sequence[GraphLessons]) -> dict[str, Scalar]:
    """What a task was learnt from; of several graphs, their names."""
    size = sum(lesson.size for lesson in lessons)
    if len(lessons) == 1:
        return {**lessons[0].source, "examples": size}
    return {"graphs": ", ".join(each.name for each in made), "examples": size}


def _say_held_loss(figures: TaskFigures) -> dict[str, Scalar]:
    return {} if figures.held_loss is None else {"held_out_loss": round(figures.held_loss, 6)}


def _save_models(models: Sequence[TrainedModel], folder: Path) -> None:
    for model in models:
        model.save(folder)
