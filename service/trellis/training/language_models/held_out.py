"""Held-out questions: what training is judged by while it runs, and when it has learnt enough."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from trellis.training.judged_questions import draw_prompts
from trellis.training.language_models.rows import Dataset, TokenRows

CHECKS = 20
"""How often in a run the held-out loss is measured."""

_SHARE, _MOST, _LEAST = 0.02, 100, 200
"""The share of different prompts that are held out, the most of them, and the fewest prompts that
any are held out of."""

_PATIENCE = 6  # checks without a better loss, from which on training comes to its end
_BETTER = 0.99  # of the best loss so far

MeasureLoss = Callable[[TokenRows, str], float]
"""The loss of rows of a task."""


def hold_out(dataset: Dataset) -> Dataset:
    """A dataset of which some prompts are held out, each with all its rows; equal for equal rows.

    Whole where it has few different prompts: few questions are all needed.
    """
    rows = dataset.rows
    prompts = [tokens[:length] for tokens, length in zip(rows.tokens, rows.prompts, strict=True)]
    held = draw_prompts(prompts, _SHARE, _MOST, _LEAST)
    if not held:
        return dataset
    kept = [i for i, prompt in enumerate(prompts) if prompt not in held]
    first: dict[tuple[int, ...], int] = {}
    for i, prompt in enumerate(prompts):
        if prompt in held:
            first.setdefault(rows.tokens[i], i)
    return replace(
        dataset, rows=_select_rows(rows, kept), held=_select_rows(rows, [*first.values()])
    )


@dataclass(slots=True)
class HeldOutLoss:
    """The held-out loss of each task, and how long their sum has not become better."""

    losses: dict[str, float]
    best: float = float("inf")
    waited: int = 0

    def measure(self, datasets: Sequence[Dataset], measure: MeasureLoss) -> None:
        """Measure anew, where anything is held out."""
        self.losses = {
            dataset.task: measure(dataset.held, dataset.task)
            for dataset in datasets
            if dataset.held is not None
        }
        total = sum(self.losses.values())
        if not self.losses or total < _BETTER * self.best:
            self.best, self.waited = total, 0
        else:
            self.waited += 1

    @property
    def has_learnt_enough(self) -> bool:
        return self.waited >= _PATIENCE

    def describe(self, training: Mapping[str, float]) -> str:
        """The losses in training and held out, of all tasks."""
        return "; ".join(
            f"{task} loss {loss:.3f}"
            + (f", held out {self.losses[task]:.3f}" if task in self.losses else "")
            for task, loss in training.items()
        )


def _select_rows(rows: TokenRows, picked: Sequence[int]) -> TokenRows:
    return replace(
        rows,
        tokens=tuple(rows.tokens[i] for i in picked),
        prompts=tuple(rows.prompts[i] for i in picked),
        weights=tuple(rows.weights[i] for i in picked),
        chosen=tuple(rows.chosen[i] for i in picked),
    )
