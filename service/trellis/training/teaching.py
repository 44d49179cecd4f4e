"""From examples to a model folder: what all tasks end in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from trellis.domain.card import ModelCard, TaskSettings
from trellis.domain.graph import Scalar
from trellis.graph.progress import Progress
from trellis.models.folder import write_folder
from trellis.training.examples import Example, encode
from trellis.training.learners import MINI, RUN, learner
from trellis.training.loop import Trained
from trellis.training.mini import Shape
from trellis.training.options import Options


class Taught(Protocol):
    """What a model is taught, and where it comes from."""

    @property
    def examples(self) -> tuple[Example, ...]: ...
    @property
    def source(self) -> Mapping[str, Scalar]: ...


def teach(
    lesson: Taught,
    segments: Sequence[str],
    settings: TaskSettings,
    options: Options,
    cache: Path,
    report: Progress,
    shape: Shape = Shape(),  # noqa: B008
    mini_steps: int | None = None,
) -> tuple[ModelCard, Trained]:
    """Train the base that was picked, and write its folder.

    `segments`: what can be said beside the examples' own. `settings`: what the card
    says of the task. `shape`, `mini_steps`: of a mini.
    """
    base = options.base or MINI
    student = learner(base, lesson.examples, segments, options, cache, shape)
    rows = encode(lesson.examples, student.vocabulary, segments)
    steps = options.steps or (mini_steps if base == MINI else None)
    trained = student.fit(rows, steps, options.seed, options.out / RUN, report)
    made: dict[str, Scalar] = {
        **lesson.source,
        "examples": len(lesson.examples),
        "steps": trained.steps,
        "seed": options.seed,
        "loss": round(trained.loss, 6),
    }
    card = ModelCard.of(student.base, settings, vocabulary=student.vocabulary.fingerprint)
    card = replace(card, training={settings.task: made})
    write_folder(options.out, card, student.save)
    return card, trained
