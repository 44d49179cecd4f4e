"""What the user asked of training, and what came of it: the same for all tasks."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from trellis.domain.card import ModelCard
from trellis.domain.graph import Revisit
from trellis.training.loop import Trained
from trellis.training.questions import Asked


@dataclass(frozen=True, slots=True)
class Options:
    """What the user asked for; None: what suits.

    `limit`: use this many questions, or synthesise this many. `wording`: a graph's own phrases.
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
    edge_budget: int = 200_000
    device: str | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What was trained, and from what; `seconds` of this run, reading and linking included."""

    card: ModelCard
    examples: int
    trained: Trained
    seconds: float


def picked(asked: Sequence[Asked], limit: int | None, seed: int) -> list[Asked]:
    """At most `limit` of the questions, at random."""
    if limit is None or limit >= len(asked):
        return list(asked)
    return random.Random(seed).sample(list(asked), limit)
