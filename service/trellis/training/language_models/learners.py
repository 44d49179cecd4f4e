"""The mini, trained from scratch: always on one thread of the CPU."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from itertools import chain
from pathlib import Path

import torch

from trellis.graph.progress import Progress
from trellis.training.language_models import loop, mini
from trellis.training.language_models.held_out import hold_out
from trellis.training.language_models.lesson import LanguageLesson
from trellis.training.language_models.loop import Run, TrainingPlan, TrainingRun
from trellis.training.language_models.rows import Dataset, TokenRows
from trellis.training.language_models.token_tables import learn_few_rows
from trellis.training.options import MINI, TrainingOptions


class MiniLearner:
    """The mini: always on one thread of the CPU, so that its bits do not depend on the machine.

    Its size is the largest that one of the lessons wants; its tokenizer knows the words of all.
    """

    base = MINI

    def __init__(self, lessons: Sequence[LanguageLesson], options: TrainingOptions) -> None:
        self._lessons = lessons
        self._options = options
        self._shape = max((lesson.shape for lesson in lessons), key=lambda shape: shape.weights)
        examples = [example for lesson in lessons for example in lesson.examples]
        segments = list(chain.from_iterable(lesson.segments for lesson in lessons))
        self._mini = mini.make_mini(examples, segments, self._shape, options.seed)
        self.vocabulary = self._mini.vocabulary
        self.save = self._mini.save

    def fit(self, rows: Sequence[TokenRows], report: Progress) -> TrainingRun:
        """Each lesson has the steps that it would have alone, fewer where it alone would be
        learnt by a smaller mini: so training takes no longer than it would for each."""
        counts = [
            self._count_steps(lesson, those)
            for lesson, those in zip(self._lessons, rows, strict=True)
        ]
        steps = self._options.steps or sum(counts)
        plan = TrainingPlan(
            steps=steps, average=self._shape.average, muon=True, seed=self._options.seed
        )
        datasets = [
            hold_out(Dataset(lesson.settings.task, those, count))
            for lesson, those, count in zip(self._lessons, rows, counts, strict=True)
        ]
        run = _open_run(self._options.run_folder, plan, datasets, MINI)
        said = sorted({token for those in rows for token in those.sayable})
        with _one_thread(), learn_few_rows(self._mini.model, self._mini.own_tokens, said):
            return loop.fit_model(self._mini.model, datasets, plan, run, report)

    def _count_steps(self, lesson: LanguageLesson, rows: TokenRows) -> int:
        cost = self._shape.weights / lesson.shape.weights
        return round(mini.count_steps(rows, lesson) / cost)


def _open_run(folder: Path, plan: TrainingPlan, datasets: Sequence[Dataset], base: str) -> Run:
    return Run(folder, {**asdict(plan), "datasets": repr(datasets), "base": base})


@contextmanager
def _one_thread() -> Iterator[None]:
    """Equal sums need an equal number of threads."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)
