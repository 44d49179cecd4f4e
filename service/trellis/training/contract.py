"""The contract of tasks that are trained for, and of the kinds of models that learn them.

A task makes a lesson of questions, or of the graph alone; which kind of lesson is between the task
and the kind of model that learns it. A kind of model learns the lessons of all its tasks at once.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, Literal, Protocol, TypeVar

from trellis.domain.card import TaskSettings
from trellis.domain.graph import Scalar
from trellis.domain.schema import Schema
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
LearntT = TypeVar("LearntT", bound=Lesson, contravariant=True)


@dataclass(frozen=True, slots=True)
class TaskFigures:
    """How a task was learnt: the steps that it took, its own loss at their end, and that of its
    held-out questions, if there are any."""

    steps: int
    loss: float
    held_loss: float | None = None


class TrainedModel(Protocol):
    """A model that has learnt its tasks.

    `base`, `vocabulary`: as the card has them; empty for kinds that have none. `chat_shots`: the
    examples in the chats by which it is asked; None where it is not asked so. `figures`: by task.
    `settings`: by task, those that training itself found; others are as their lessons have them.
    """

    @property
    def base(self) -> str: ...
    @property
    def vocabulary(self) -> str: ...
    @property
    def chat_shots(self) -> int | None: ...
    @property
    def figures(self) -> Mapping[str, TaskFigures]: ...
    @property
    def settings(self) -> Mapping[str, TaskSettings]: ...

    def save(self, folder: Path) -> None:
        """Write the model's files into a folder that may hold those of other kinds."""
        ...


class ModelKind(Protocol[LearntT]):
    """A kind of model: language models, say."""

    def train(
        self, lessons: Sequence[LearntT], means: TrainingContext, options: TrainingOptions
    ) -> TrainedModel:
        """Train one model on all lessons; goes on where a run with equal arguments stopped."""
        ...


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

    `settings`: their class; it names the task. `kind`: of the model that learns it. `graph_needs`:
    what a graph must have to be learnt from. `needs_questions`: the graph alone does not teach it.
    `gold`: what questions are learnt from, where they have it. `is_shared`: one model can learn it
    of several graphs, as a general model does it.
    """

    settings: type[TaskSettings]
    kind: ModelKind[LessonT]
    make_lesson: Callable[[LessonRequest], Awaitable[LessonT]]
    graph_needs: Literal["label", "relationship"] = "label"
    needs_questions: bool = False
    gold: tuple[Gold, ...] = ()
    is_shared: bool = True

    @property
    def name(self) -> str:
        return self.settings.task
