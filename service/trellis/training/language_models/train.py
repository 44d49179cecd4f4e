"""From the lessons of some tasks to one language model that does all of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from trellis.domain.card import TaskSettings
from trellis.training.contract import TaskFigures
from trellis.training.language_models.learners import MiniLearner
from trellis.training.language_models.lesson import LanguageLesson
from trellis.training.language_models.rows import encode_examples
from trellis.training.means import TrainingContext
from trellis.training.options import TrainingOptions


@dataclass(frozen=True, slots=True)
class TrainedLanguageModel:
    """A model that has learnt its tasks, ready to be saved."""

    learner: MiniLearner
    figures: Mapping[str, TaskFigures]

    @property
    def base(self) -> str:
        return self.learner.base

    @property
    def chat_shots(self) -> int | None:
        return None

    @property
    def settings(self) -> Mapping[str, TaskSettings]:
        return {}

    @property
    def vocabulary(self) -> str:
        return self.learner.vocabulary.fingerprint

    def save(self, folder: Path) -> None:
        """Write the model's files."""
        self.learner.save(folder)


def train_language_model(
    lessons: Sequence[LanguageLesson], means: TrainingContext, options: TrainingOptions
) -> TrainedLanguageModel:
    """Train a mini on all lessons; their prompts' cues tell the tasks apart."""
    learner = MiniLearner(lessons, options)
    rows = [
        encode_examples(lesson.examples, learner.vocabulary, lesson.segments) for lesson in lessons
    ]
    trained = learner.fit(rows, means.report)
    return TrainedLanguageModel(learner, trained.tasks)
