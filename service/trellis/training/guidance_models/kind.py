"""Guidance models as a kind of model: one graph network learns task `guidance`."""

from __future__ import annotations

from collections.abc import Sequence

from trellis.training.contract import TrainedModel
from trellis.training.guidance_models.lesson import GuidanceLesson
from trellis.training.means import TrainingContext
from trellis.training.options import TrainingOptions


class GuidanceModelKind:
    """The Triple-GNN, from scratch."""

    def train(
        self, lessons: Sequence[GuidanceLesson], means: TrainingContext, options: TrainingOptions
    ) -> TrainedModel:
        """Train a network for the one lesson; goes on where a run with equal arguments stopped."""
        # torch is not in every install, and slow to load
        from trellis.training.guidance_models.training import train_guidance

        [lesson] = lessons
        return train_guidance(lesson, means, options)


GUIDANCE_MODEL = GuidanceModelKind()
