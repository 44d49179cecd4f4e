"""What the user asked of training, and what came of it: the same for all tasks."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from trellis.automata.cypher.options import Rendering
from trellis.domain.card import ModelCard
from trellis.domain.graph import Revisit
from trellis.questions.row import QuestionRow

RUN = ".run"
"""The folder inside the model's that an unfinished run is kept in."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class TrainingOptions:
    """What the user asked for; None: what suits.

    `limit`: use this many questions, or synthesise this many. `wording`: a graph's own phrases.
    `rendering`: how queries are written.
    """

    out: Path
    questions: tuple[Path, ...] = ()
    base: str | None = None
    full: bool = False
    hops: int | None = None
    limit: int | None = None
    seed: int = 0
    steps: int | None = None
    revisit: Revisit | None = None
    wording: Path | None = None
    rendering: Rendering = "brief"
    edge_budget: int = 200_000
    device: str | None = None

    @property
    def run_folder(self) -> Path:
        return self.out / RUN


@dataclass(frozen=True, slots=True)
class TrainingOutcome:
    """What was trained: its card, how many examples there were, and the seconds of this run,
    reading and linking included. `judged_questions`: those that were kept apart, so that the
    confidence of the methods can be fitted on them."""

    card: ModelCard
    examples: int
    seconds: float
    judged_questions: tuple[QuestionRow, ...] = ()


def sample_items(items: Sequence[T], limit: int | None, seed: int) -> list[T]:
    """At most `limit` of the items, at random."""
    if limit is None or limit >= len(items):
        return list(items)
    return random.Random(seed).sample(list(items), limit)
