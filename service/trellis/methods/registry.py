"""What a method is: a name, the tasks that its models do, and a pipeline."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from trellis.domain.errors import UnknownMethodError
from trellis.domain.graphs.graph import Node
from trellis.domain.limits.budget import Budget
from trellis.domain.models.card import Calibration, SettingsT, TaskSettings
from trellis.domain.models.prompt import Prompt
from trellis.domain.ports import (
    Embedder,
    Graph,
    GuidanceModel,
    LanguageModel,
    Queries,
    Reasoner,
    TextRanker,
)
from trellis.domain.replies.events import Watch, ignore_event
from trellis.domain.replies.question import Question
from trellis.domain.replies.reply import Reply
from trellis.engines.chats.chat import ChatFormat
from trellis.settings import Settings


class Pipeline(Protocol):
    """Answers a question by one method, and reports its progress to `watch`."""

    async def answer(self, question: Question, watch: Watch = ignore_event) -> Reply: ...


@dataclass(frozen=True, slots=True)
class PipelineParts:
    """What a pipeline is built of.

    `models`: by task, those that the method needs, and those that exist for its optional tasks.
    `guides`: the same for tasks that a guidance model does.
    """

    settings: Settings
    graph: Graph
    queries: Queries
    models: Mapping[str, LanguageModel]
    embedder: Embedder
    reasoner: Reasoner | None
    calibration: Calibration
    budget: Budget
    guides: Mapping[str, GuidanceModel] = field(default_factory=dict)
    text_ranker: TextRanker | None = None

    def settings_of(self, settings_class: type[SettingsT]) -> SettingsT:
        """The settings of a task on the card of the model that does it."""
        return self.models[settings_class.task].card.settings(settings_class)


@dataclass(frozen=True, slots=True)
class TaskInput:
    """The input of a model for one question: the prompt, and the language that it writes in."""

    prompt: Prompt
    language: Any


InputBuilder = Callable[[PipelineParts, Question, Reply], Awaitable[TaskInput]]
"""Builds a model's input for a question and its reply, whose mentions it may use; the rest is read
from the graph again."""


Warm = Callable[[PipelineParts, Sequence[Node]], Awaitable[None]]
"""Runs the queries that answering by a task runs, about some nodes, so that they are planned."""


@dataclass(frozen=True, slots=True)
class HostedTask:
    """How a hosted chat model does a task: the format of the chat, and the task's settings."""

    chat_format: ChatFormat
    build_settings: Callable[[Settings], TaskSettings]


@dataclass(frozen=True, slots=True)
class Task:
    """What a model does for a method.

    `settings_class`: their class; it names the task. `build_input`: for tasks whose sentences are a
    reply's candidates. `warm`: what a first question would pay for. `hosted`: None where a hosted
    chat model cannot do it. `is_guide`: a guidance model does it, and no language model.
    `build_general`: the settings under which a model is asked that was trained for no graph; None:
    the usual ones.
    """

    settings_class: type[TaskSettings]
    build_input: InputBuilder | None = None
    hosted: HostedTask | None = None
    warm: Warm | None = None
    is_guide: bool = False
    build_general: Callable[[Settings], TaskSettings] | None = None

    @property
    def name(self) -> str:
        return self.settings_class.task


@dataclass(frozen=True, slots=True)
class Method:
    """A way to answer.

    `tasks`: the tasks that it needs; the sentences of the first one are a reply's candidates.
    `optional`: tasks that improve it where a model does them. `seconds`: what a question usually
    takes, by a small model on two cores. `says_operators`: whether it can say `not`, `the most` and
    the like, beside relations. `general`: the calibration of models that nobody judged, from which
    that of a model starts; without it the belief in an answer is its confidence.
    """

    name: str
    about: str
    tasks: tuple[Task, ...]
    build_pipeline: Callable[[PipelineParts], Pipeline]
    optional: tuple[Task, ...] = ()
    seconds: float = 0.3
    says_operators: bool = False
    general: Callable[[], Calibration] = Calibration

    @property
    def all_tasks(self) -> tuple[Task, ...]:
        return (*self.tasks, *self.optional)


AUTO = "auto"
"""The name under which all methods that can answer are asked, as far as it pays."""


def find_method(methods: Mapping[str, Method], name: str) -> Method:
    """The method of a name; UnknownMethodError where there is none."""
    if name not in methods:
        known = ", ".join((AUTO, *methods))
        raise UnknownMethodError(f"there is no method {name!r}", f"use one of: {known}")
    return methods[name]


def list_general_settings(methods: Iterable[Method], settings: Settings) -> list[TaskSettings]:
    """The settings of the tasks that a model does which was trained for no graph: all that a method
    needs. Where several methods have the same task, the first one decides."""
    tasks = {task.name: task for method in reversed([*methods]) for task in method.tasks}
    return [
        task.build_general(settings) if task.build_general else task.settings_class()
        for task in tasks.values()
        if not task.is_guide
    ]


def list_hosted_tasks(methods: Iterable[Method]) -> Mapping[str, HostedTask]:
    """How a hosted chat model does each task that it can do, by the task's name.

    Where several methods have the same task, the first one decides.
    """
    hosted: dict[str, HostedTask] = {}
    for task in (task for method in methods for task in method.all_tasks):
        if task.hosted:
            hosted.setdefault(task.name, task.hosted)
    return hosted
