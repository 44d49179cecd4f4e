"""The contract of tasks that are trained for, and of the kinds of models that learn them.

A task makes a lesson of questions, or of the graph alone; which kind of lesson is between the task
and the kind of model that learns it. A kind of model learns the lessons of all its tasks at once.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, Literal, Protocol, TypeVar

from trellis.domain.graphs.graph import Scalar
from trellis.domain.graphs.schema import Schema
from trellis.domain.models.card import TaskSettings
from trellis.questions.row import QuestionRow
from trellis.training.means import TrainingContext
from trellis.training.options import TrainingOptions


class Lesson(Protocol):
    """What a task teaches. `settings`: what the card will say of the task; `source`: what the
    lesson was made from; `size`: its examples."""

    @property
    def settings(self) -> TaskSettings: ...
    @property
    def source(self) -> Mapping[str, Scalar]: ...
    @property
    def size(self) -> int: ...


LessonT = TypeVar("LessonT", bound=Lesson)


@dataclass(frozen=True, slots=True)
class TaskFigures:
    """How a task was learnt: the steps that it took, its own loss at their end, and that of its
    held-out questions, if there are any."""

    steps: int
    loss: float
    held_loss: float | None = None


@dataclass(frozen=True, slots=True)
class TrainedModel:
    """A model that has learnt its tasks.

    `figures`: by task. `save`: writes the model's files into a folder that may hold those of other
    kinds. `base`, `vocabulary`: as the card has them; empty for kinds that have none. `chat_shots`:
    the examples in the chats by which it is asked; None where it is not asked so. `settings`: by
    task, those that training itself found; others are as their lessons have them.
    """

    figures: Mapping[str, TaskFigures]
    save: Callable[[Path], None]
    base: str = ""
    vocabulary: str = ""
    chat_shots: int | None = None
    settings: Mapping[str, TaskSettings] = field(default_factory=dict)


Gold = Literal["paths", "cypher", "answers"]
"""What may be known of a question's answer."""


@dataclass(frozen=True, slots=True)
class LessonRequest:
    """What a lesson is made of.

    `questions`: None where the graph alone is to teach. `examples`: those of the graph's
    configuration that are to be learnt beside it then; else they are among the questions. `claims`:
    rows with a claim in place of a question. `memory`: what the lessons of several tasks share.
    `adds_made`: whether examples made from the graph are taught beside those of questions.
    """

    schema: Schema
    questions: Sequence[QuestionRow] | None
    means: TrainingContext
    options: TrainingOptions
    examples: Sequence[QuestionRow] = ()
    claims: Sequence[QuestionRow] = ()
    memory: dict[Hashable, Any] = field(default_factory=dict, compare=False, repr=False)
    adds_made: bool = True


@dataclass(frozen=True, slots=True)
class TrainingTask(Generic[LessonT]):
    """A task that a model can be trained for.

    `settings`: their class; it names the task. `train`: trains a model of its kind, say a language
    model, on all lessons for that kind, and goes on where a run with equal arguments stopped.
    `graph_needs`: what a graph must have to be learnt from. `needs_questions`: the graph alone does
    not teach it. `gold`: what questions are learnt from, where they have it. `is_shared`: one model
    can learn it of several graphs, as a general model does it.
    """

    settings: type[TaskSettings]
    train: Callable[[Sequence[LessonT], TrainingContext, TrainingOptions], TrainedModel]
    make_lesson: Callable[[LessonRequest], Awaitable[LessonT]]
    graph_needs: Literal["label", "relationship"] = "label"
    needs_questions: bool = False
    gold: tuple[Gold, ...] = ()
    is_shared: bool = True

    @property
    def name(self) -> str:
        return self.settings.task
