"""What can be trained: the mini from scratch, or a pretrained base by LoRA or in full."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from itertools import chain
from pathlib import Path
from typing import Protocol

import torch

from trellis.automata.vocabulary import TokenizerVocabulary
from trellis.graph.progress import Progress
from trellis.training.language_models import loop, lora, mini
from trellis.training.language_models.held_out import hold_out
from trellis.training.language_models.lesson import LanguageLesson
from trellis.training.language_models.loop import Run, TrainingPlan, TrainingRun
from trellis.training.language_models.rows import Dataset, TokenRows
from trellis.training.language_models.token_tables import learn_few_rows
from trellis.training.options import TrainingOptions

MINI = "mini"


class Learner(Protocol):
    """A model to be trained on some lessons, its vocabulary, and how it is trained and saved."""

    @property
    def base(self) -> str: ...
    @property
    def vocabulary(self) -> TokenizerVocabulary: ...

    def fit(self, rows: Sequence[TokenRows], report: Progress) -> TrainingRun:
        """Train on the lessons' examples as rows, in the order of the lessons."""
        ...

    def save(self, folder: Path) -> None: ...


def new_learner(
    lessons: Sequence[LanguageLesson], options: TrainingOptions, cache: Path
) -> Learner:
    """The learner of the base that the options name; a mini where they name none."""
    if (options.base or MINI) == MINI:
        return MiniLearner(lessons, options)
    return TunedLearner(lessons, options, cache)


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


class TunedLearner:
    """A pretrained base on the device that is there, in bfloat16 arithmetic where that is fast."""

    def __init__(
        self, lessons: Sequence[LanguageLesson], options: TrainingOptions, cache: Path
    ) -> None:
        assert options.base
        self._lessons = lessons
        self._options = options
        self._tuned = lora.open_base(
            options.base, cache, options.run_folder, full=options.full, seed=options.seed
        )
        self.base = self._tuned.base
        self.vocabulary = self._tuned.vocabulary
        self.save = self._tuned.save
        device = options.device or ("cuda" if torch.cuda.is_available() else "cpu")
        self._tuned.model.to(device)

    def fit(self, rows: Sequence[TokenRows], report: Progress) -> TrainingRun:
        """Each lesson has as many steps."""
        plan = TrainingPlan(
            steps=self._options.steps or lora.STEPS * len(rows),
            batch=lora.BATCH,
            rate=lora.FULL_RATE if self._tuned.full else lora.RATE,
            seed=self._options.seed,
            autocast=True,
            checkpoint=50,
        )
        datasets = [
            hold_out(Dataset(lesson.settings.task, those))
            for lesson, those in zip(self._lessons, rows, strict=True)
        ]
        key = f"{self.base}, {'full' if self._tuned.full else lora.RANK}"
        run = _open_run(self._options.run_folder, plan, datasets, key)
        return loop.fit_model(self._tuned.model, datasets, plan, run, report)


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
