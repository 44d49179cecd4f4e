"""Pretraining: from made schemas alone to what every mini starts from.

Each batch is of one schema, and its loss is over what sentences of that schema consist of: the body
learns to find, among the words of a schema, those that a question means, whatever they are.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from trellis.graph.progress import Progress, ignore_progress
from trellis.training.examples import Example, relation_segments
from trellis.training.language_models.learners import one_thread
from trellis.training.language_models.loop import Run, TrainingPlan, fit_model
from trellis.training.language_models.mini import make_mini
from trellis.training.language_models.rows import Dataset, encode_examples
from trellis.training.language_models.start import GENERAL_SHAPE, take_start
from trellis.training.language_models.token_tables import learn_few_rows
from trellis.training.synthesis.made_schemas import SchemaMaker
from trellis.training.synthesis.path_questions import compose_examples


@dataclass(frozen=True, slots=True)
class PretrainingOptions:
    """`schemas`: how many are made; `questions`: of each; `steps`: of 32 questions; `checkpoint`:
    steps between checkpoints."""

    out: Path
    schemas: int = 2_400
    questions: int = 160
    steps: int = 16_000
    seed: int = 0
    checkpoint: int = 500


@dataclass(frozen=True, slots=True)
class PretrainingOutcome:
    """The questions that were made, the loss on the last ones, and the seconds of all runs."""

    questions: int
    loss: float
    seconds: float


@dataclass(frozen=True, slots=True)
class _SchemaLesson:
    examples: Sequence[Example]
    segments: Sequence[str]


def pretrain_start(
    options: PretrainingOptions, report: Progress = ignore_progress
) -> PretrainingOutcome:
    """Write the start to `options.out`; goes on where a run with the same arguments stopped."""
    began = time.monotonic()
    lessons = _make_lessons(options, report)
    examples = list(chain.from_iterable(lesson.examples for lesson in lessons))
    segments = list(chain.from_iterable(lesson.segments for lesson in lessons))
    new = make_mini(examples, segments, GENERAL_SHAPE, options.seed)
    datasets = [
        Dataset(f"schema {n}", encode_examples(lesson.examples, new.vocabulary, lesson.segments))
        for n, lesson in enumerate(lessons)
    ]
    plan = TrainingPlan(steps=options.steps, seed=options.seed, checkpoint=options.checkpoint)
    key = {"plan": repr(plan), "rows": repr([each.rows for each in datasets])}
    run = Run(options.out.with_suffix(".run"), key)
    with one_thread(), learn_few_rows(new.model, new.own_tokens, new.own_tokens):
        done = fit_model(new.model, datasets, plan, run, report)
    take_start(new.model, new.tokenizer, new.own_tokens).save(options.out)
    run.remove()
    last = [figures.loss for figures in done.tasks.values()]
    return PretrainingOutcome(len(examples), sum(last) / len(last), time.monotonic() - began)


def _make_lessons(options: PretrainingOptions, report: Progress) -> list[_SchemaLesson]:
    maker = SchemaMaker(options.seed)
    lessons = []
    for number in range(options.schemas):
        schema = maker.make_schema()
        examples = compose_examples(
            schema.paths, schema.book, options.questions, options.seed + number, meets=True
        )
        lessons.append(_SchemaLesson(examples, relation_segments(schema.relations)))
        report("schemas", number + 1, options.schemas)
    return lessons
