"""Language models as a kind of model: one model learns all tasks whose answers are sentences."""

from __future__ import annotations

from collections.abc import Sequence

from trellis.training.contract import TrainedModel
from trellis.training.language_models.lesson import LanguageLesson
from trellis.training.means import TrainingContext
from trellis.training.options import TrainingOptions


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
