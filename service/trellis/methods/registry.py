"""What a method is to the rest of the house: a registered unit of tasks and a pipeline."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from trellis.domain.budget import Budget
from trellis.domain.card import Calibration, SettingsT, TaskSettings
from trellis.domain.errors import UnknownMethodError
from trellis.domain.events import Watch, unwatched
from trellis.domain.graph import Node
from trellis.domain.ports import Embedder, Graph, LanguageModel, Queries, Reasoner
from trellis.domain.prompt import Prompt
from trellis.domain.question import Question
from trellis.domain.reply import Reply
from trellis.engines.chat import ChatFormat
from trellis.settings import Settings


class Pipeline(Protocol):
    """Answers a question by one method, telling `watch` how far it is."""

    async def answer(self, question: Question, watch: Watch = unwatched) -> Reply: ...


@dataclass(frozen=True, slots=True)
class Parts:
    """What a pipeline is built of. `models`: by task, all that the method needs and those of its
    optional tasks that a model is there for."""

    settings: Settings
    graph: Graph
    queries: Queries
    models: Mapping[str, LanguageModel]
    embedder: Embedder
    reasoner: Reasoner | None
    calibration: Calibration
    budget: Budget

    def settings_of(self, kind: type[SettingsT]) -> SettingsT:
        """What the card of the task's model says of the task."""
        return self.models[kind.task].card.settings(kind)


@dataclass(frozen=True, slots=True)
class Framed:
    """What a model is given for a question: the prompt, and the language that it writes in."""

    prompt: Prompt
    language: Any


Frame = Callable[[Parts, Question, Reply], Awaitable[Framed]]
"""How a question becomes prompt and language, read from the graph anew; the mentions may be taken
from the reply that was given to the question."""


Warm = Callable[[Parts, Sequence[Node]], Awaitable[None]]
"""Runs the queries that answering by a task runs, about some nodes, so that they are planned."""


@dataclass(frozen=True, slots=True)
class HostedTask:
    """How a hosted chat model does a task: how it is asked, and what its card says of the task."""

    chat: ChatFormat
    settings: Callable[[Settings], TaskSettings]


@dataclass(frozen=True, slots=True)
class Task:
    """What a model does for a method.

    `settings`: their class; it names the task. `frame`: for tasks whose sentences are a reply's
    candidates. `warm`: what a first question would pay for. `hosted`: None where a hosted chat
    model cannot do it.
    """

    settings: type[TaskSettings]
    frame: Frame | None = None
    hosted: HostedTask | None = None
    warm: Warm | None = None

    @property
    def name(self) -> str:
        return self.settings.task


@dataclass(frozen=True, slots=True)
class Method:
    """A way to answer.

    `tasks`: what models have to do for it; the sentences of the first one are a reply's
    candidates. `optional`: tasks that improve it where a model does them.
    """

    name: str
    about: str
    tasks: tuple[Task, ...]
    build: Callable[[Parts], Pipeline]
    optional: tuple[Task, ...] = ()

    @property
    def all_tasks(self) -> tuple[Task, ...]:
        return (*self.tasks, *self.optional)


def find_method(methods: Mapping[str, Method], name: str) -> Method:
    """The method of a name; UnknownMethodError where there is none."""
    if name not in methods:
        known = ", ".join(methods)
        raise UnknownMethodError(f"there is no method {name!r}", f"use one of: {known}")
    return methods[name]


def list_hosted_tasks(methods: Iterable[Method]) -> Mapping[str, HostedTask]:
    """How a hosted chat model does each task that it can do, by name; where several methods say
    so of one task, as the first of them says."""
    hosted: dict[str, HostedTask] = {}
    for task in (task for method in methods for task in method.all_tasks):
        if task.hosted:
            hosted.setdefault(task.name, task.hosted)
    return hosted
