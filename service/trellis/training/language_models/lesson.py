"""What a language model is taught of one task, and how one model learns several."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from trellis.domain.graphs.graph import Scalar
from trellis.domain.models.card import TaskSettings
from trellis.training.contract import TrainedModel
from trellis.training.examples import Example
from trellis.training.means import TrainingContext
from trellis.training.options import TrainingOptions


@dataclass(frozen=True, slots=True)
class MiniShape:
    """A mini's size. `average`: the share of the steps that the moving average of its weights
    looks back over (`loop.Plan`)."""

    width: int = 128
    layers: int = 2
    heads: int = 4
    words: int = 8_000
    dropout: float = 0.0
    average: float = 0.0

    @property
    def weights(self) -> int:
        """The size of its layers, up to a factor."""
        return self.layers * self.width**2


@dataclass(frozen=True, slots=True)
class LanguageLesson:
    """The examples of a task.

    `settings`: what the card will say of the task. `segments`: what sentences may consist of
    beside the examples' own. `source`: what the examples were made from. `shape`, `least_steps`
    and `most_steps` are of a mini that learns nothing else.
    """

    settings: TaskSettings
    examples: tuple[Example, ...]
    segments: tuple[str, ...] = ()
    source: Mapping[str, Scalar] = field(default_factory=dict)
    shape: MiniShape = MiniShape()
    least_steps: int = 0
    most_steps: int = 2_000

    @property
    def size(self) -> int:
        """How many examples there are."""
        return len(self.examples)


def train_language_model(
    lessons: Sequence[LanguageLesson], means: TrainingContext, options: TrainingOptions
) -> TrainedModel:
    """Train a mini from scratch for all lessons, or tune a general model."""
    # torch is not in every install, and slow to load
    if options.general_base is not None:
        from trellis.training.tuning.tune import tune_model

        return tune_model(lessons, means.cache, options, means.report)
    from trellis.training.language_models.train import train_mini

    return train_mini(lessons, means, options)
