"""What can be trained: the mini from scratch, or a pretrained base by LoRA or in full."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Protocol

import torch

from trellis.automata.vocabulary import TokenizerVocabulary
from trellis.graph.progress import Progress
from trellis.training import loop, lora, mini
from trellis.training.examples import Example, Rows
from trellis.training.loop import Plan, Run, Trained

MINI = "mini"

RUN = ".run"
"""The folder inside the model's that an unfinished run is kept in."""


class Wishes(Protocol):
    """What a user can wish of a learner."""

    @property
    def out(self) -> Path: ...
    @property
    def full(self) -> bool: ...
    @property
    def seed(self) -> int: ...
    @property
    def device(self) -> str | None: ...


class Learner(Protocol):
    """A model to be trained, its vocabulary, and how it is trained and saved."""

    @property
    def base(self) -> str: ...
    @property
    def vocabulary(self) -> TokenizerVocabulary: ...

    def fit(
        self, rows: Rows, steps: int | None, seed: int, run: Path, report: Progress
    ) -> Trained: ...

    def save(self, folder: Path) -> None: ...


def learner(
    base: str,
    examples: Sequence[Example],
    segments: Sequence[str],
    wishes: Wishes,
    cache: Path,
    shape: mini.Shape = mini.Shape(),  # noqa: B008
) -> Learner:
    """The learner of a base's name; `examples` and `segments` make a mini's vocabulary, `shape`
    its size."""
    if base == MINI:
        return MiniLearner(mini.new(examples, segments, shape, wishes.seed))
    tuned = lora.new(base, cache, wishes.out / RUN, full=wishes.full, seed=wishes.seed)
    device = wishes.device or ("cuda" if torch.cuda.is_available() else "cpu")
    return TunedLearner(tuned, device)


class MiniLearner:
    """The mini: always on one thread of the CPU, so that its bits do not depend on the machine."""

    base = MINI

    def __init__(self, new: mini.Mini) -> None:
        self._mini = new
        self.vocabulary = new.vocabulary
        self.save = new.save

    def fit(self, rows: Rows, steps: int | None, seed: int, run: Path, report: Progress) -> Trained:
        shape = self._mini.shape
        steps = steps or mini.steps_for(rows, shape.steps)
        plan = Plan(steps=steps, average=shape.average, seed=seed)
        with _one_thread():
            return loop.fit(self._mini.model, rows, plan, _run(run, plan, rows, MINI), report)


class TunedLearner:
    """A pretrained base on the device that is there, in bfloat16 arithmetic."""

    def __init__(self, tuned: lora.Tuned, device: str) -> None:
        self._tuned = tuned
        self.base = tuned.base
        self.vocabulary = tuned.vocabulary
        self.save = tuned.save
        tuned.model.to(device)

    def fit(self, rows: Rows, steps: int | None, seed: int, run: Path, report: Progress) -> Trained:
        plan = Plan(
            steps=steps or lora.STEPS,
            batch=lora.BATCH,
            rate=lora.FULL_RATE if self._tuned.full else lora.RATE,
            seed=seed,
            autocast=True,
            checkpoint=50,
        )
        key = f"{self.base}, {'full' if self._tuned.full else lora.RANK}"
        return loop.fit(self._tuned.model, rows, plan, _run(run, plan, rows, key), report)


def _run(folder: Path, plan: Plan, rows: Rows, base: str) -> Run:
    return Run(folder, {**asdict(plan), "rows": repr(rows), "base": base})


@contextmanager
def _one_thread() -> Iterator[None]:
    """Equal sums need an equal number of threads."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)
