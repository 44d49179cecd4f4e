"""What one graph teaches: its lessons, as chats where a general model is tuned."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from trellis.domain.errors import EmptyGraphError, TrainingError
from trellis.domain.graphs.schema import Schema
from trellis.domain.limits.sharing import share_work
from trellis.prompting.templates import Templates
from trellis.prompting.writer import PromptWriter
from trellis.questions.reading import read_questions
from trellis.questions.row import QuestionRow
from trellis.training.contract import Lesson, LessonRequest, TrainingTask
from trellis.training.example_bank.bank import GraphExampleBank
from trellis.training.graph_examples import check_examples, repeat_examples, select_examples
from trellis.training.judged_questions import keep_questions_apart
from trellis.training.language_models.lesson import LanguageLesson
from trellis.training.means import TrainingContext
from trellis.training.options import TrainingOptions, sample_items
from trellis.training.tuning.chats import ChatReader, OtherExamples, write_example_chats

_MOST_CHATS = 6_000  # examples of a task, of one graph


@dataclass(frozen=True, slots=True)
class TaughtGraph:
    """A graph that is learnt from, the parts to do so, and the files of questions about it.

    `name`: empty where there is one graph.
    """

    name: str
    means: TrainingContext
    questions: tuple[Path, ...] = ()


@dataclass(frozen=True, slots=True)
class GraphLessons:
    """The lessons of a graph by task, and its questions that were kept apart."""

    name: str
    lessons: Mapping[str, Lesson]
    judged: tuple[QuestionRow, ...]


async def make_graph_lessons(
    graph: TaughtGraph,
    tasks: Sequence[TrainingTask[Any]],
    options: TrainingOptions,
    reader: ChatReader | None,
) -> GraphLessons:
    """The lessons of a graph; `reader`: of the general model that is taught by chats, if one is.

    Raises EmptyGraphError, FileFormatError, InputError, TrainingError.
    """
    means = graph.means
    request, judged = await read_lesson_request(graph, tasks, options)
    if reader is not None and request.questions is None:
        options = replace(options, limit=options.limit or _MOST_CHATS)
        request = replace(request, options=options)
    lessons = await _make_lessons(tasks, request)
    if reader is not None:
        writer = _build_writer(means, options)
        for name, lesson in lessons.items():
            lessons[name] = await _write_chats(lesson, request, writer, reader)
    return GraphLessons(graph.name, lessons, judged)


async def read_lesson_request(
    graph: TaughtGraph, tasks: Sequence[TrainingTask[Any]], options: TrainingOptions
) -> tuple[LessonRequest, tuple[QuestionRow, ...]]:
    """What lessons of a graph are made of, and its questions that are kept apart.

    Raises EmptyGraphError, FileFormatError, InputError.
    """
    means = graph.means
    schema = await means.graph.schema()
    _check_graph(schema, tasks, graph.name)
    for task in tasks:
        check_examples(means.examples, task.gold, schema)
    questions, claims = read_rows(graph.questions, options)
    questions, judged = keep_questions_apart(questions, options.seed)
    return LessonRequest(schema, questions, means, options, claims=claims), judged


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


def _check_graph(schema: Schema, tasks: Sequence[TrainingTask[Any]], name: str) -> None:
    counts = {"label": len(schema.labels), "relationship": schema.edges}
    for task in tasks:
        if not counts[task.graph_needs]:
            raise EmptyGraphError(
                f"the graph {name and repr(name)} has no {task.graph_needs}, so there is nothing "
                f"to learn for task {task.name!r}".replace("  ", " "),
                "load one: `trellis load`",
            )


def read_rows(
    files: tuple[Path, ...], options: TrainingOptions
) -> tuple[list[QuestionRow] | None, list[QuestionRow]]:
    """The questions, None where there are none, and the claims."""
    rows = sample_items(read_questions(files), options.limit, options.seed)
    return [row for row in rows if not row.claim] or None, [row for row in rows if row.claim]


def _add_examples(request: LessonRequest, task: TrainingTask[Any]) -> LessonRequest:
    """The request with the examples that a task can learn from, among its questions if any."""
    examples = select_examples(request.means.examples, task.gold)
    if request.questions is None:
        return replace(request, examples=examples)
    repeated = repeat_examples(examples, len(request.questions))
    return replace(request, questions=[*request.questions, *repeated])


def _build_writer(means: TrainingContext, options: TrainingOptions) -> PromptWriter:
    """Writes prompts as the model will be asked; a question never sees itself as its example."""
    bank = GraphExampleBank(means, means.examples, means.cache / "examples", options.rendering)
    return PromptWriter(
        *(means.graph, means.embedder, OtherExamples(bank), Templates(means.templates)),
        *(options.tuning.shots, options.rendering),
    )


async def _write_chats(
    lesson: Lesson, request: LessonRequest, writer: PromptWriter, reader: ChatReader
) -> Lesson:
    """The lesson with its examples as chats, some of them at random where there are many."""
    if not isinstance(lesson, LanguageLesson):
        return lesson
    tuning, seed = request.options.tuning, request.options.seed
    room = reader.measure_room(tuning.prompt_tokens, tuning.sentence_tokens)
    picked = sample_items(lesson.examples, _MOST_CHATS, seed)
    report = request.means.report
    chats = await write_example_chats(picked, request.schema, writer, room, seed, report)
    return replace(lesson, examples=chats)


async def prepare_reader(options: TrainingOptions, cache: Path) -> ChatReader | None:
    """How the base reads chats, where it is taught by them; it is looked at whether it can be
    tuned at all before anything is made for it.

    Raises as `find_tunable_base`, and TrainingError where its memory is not free.
    """
    if options.general_base is None:
        return None
    # torch is not in every install, and slow to load
    from trellis.training.tuning.base import find_tunable_base
    from trellis.training.tuning.plan import check_base_fits
    from trellis.training.tuning.processes import check_accelerate

    check_accelerate()
    base = await asyncio.to_thread(find_tunable_base, options, cache)
    check_base_fits(base, options)
    return base.reader if options.writes_chats else None


def check_several(tasks: Sequence[TrainingTask[Any]], options: TrainingOptions) -> None:
    """Raise TrainingError where one model cannot learn several graphs so."""
    if not options.writes_chats:
        raise TrainingError(
            "several graphs are learnt by a general model alone, with the schema in its prompts",
            "give --base smollm2, a folder or a Hugging Face id; and no --prompts question",
        )
    alone = [task.name for task in tasks if not task.is_shared]
    if alone:
        raise TrainingError(
            f"task {', '.join(map(repr, alone))} belongs to one graph",
            "leave it out, or train it for each graph apart",
        )
