"""From the lessons of some tasks to one language model that does all of them: the mini."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from itertools import chain

from trellis.training.contract import TrainedModel
from trellis.training.language_models import loop, mini
from trellis.training.language_models.held_out import hold_out
from trellis.training.language_models.lesson import LanguageLesson, MiniShape
from trellis.training.language_models.loop import Run, TrainingPlan, use_one_thread
from trellis.training.language_models.rows import Dataset, TokenRows, encode_examples
from trellis.training.language_models.token_tables import learn_few_rows
from trellis.training.means import TrainingContext
from trellis.training.options import MINI, TrainingOptions


def train_mini(
    lessons: Sequence[LanguageLesson], means: TrainingContext, options: TrainingOptions
) -> TrainedModel:
    """Train a mini on all lessons; their prompts' cues tell the tasks apart.

    Its size is the largest that one of the lessons wants; its tokenizer knows the words of all. It
    is trained on one thread of the CPU, so that its bits do not depend on the machine.
    """
    shape = max((lesson.shape for lesson in lessons), key=lambda shape: shape.weights)
    examples = [example for lesson in lessons for example in lesson.examples]
    segments = list(chain.from_iterable(lesson.segments for lesson in lessons))
    made = mini.make_mini(examples, segments, shape, options.seed)
    rows = [
        encode_examples(lesson.examples, made.vocabulary, lesson.segments) for lesson in lessons
    ]
    counts = [_count_steps(*each, shape) for each in zip(lessons, rows, strict=True)]
    datasets = [
        hold_out(Dataset(lesson.settings.task, those, count))
        for lesson, those, count in zip(lessons, rows, counts, strict=True)
    ]
    steps = options.steps or sum(counts)
    plan = TrainingPlan(steps=steps, average=shape.average, seed=options.seed)
    run = Run(options.run_folder, {**asdict(plan), "datasets": repr(datasets), "base": MINI})
    said = sorted({token for those in rows for token in those.sayable})
    with use_one_thread(), learn_few_rows(made.model, made.own_tokens, said):
        figures = loop.fit_model(made.model, datasets, plan, run, means.report)
    return TrainedModel(figures, made.save, MINI, made.vocabulary.fingerprint)


def _count_steps(lesson: LanguageLesson, rows: TokenRows, shape: MiniShape) -> int:
    """The steps that a lesson would have alone, fewer where it alone would be learnt by a smaller
    mini: so training takes no longer than it would for each."""
    return round(mini.count_steps(rows, lesson) / (shape.weights / lesson.shape.weights))
