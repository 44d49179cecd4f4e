"""From lessons to one tuned model that does all of their tasks."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from trellis.domain.errors import TrainingError
from trellis.graph.database.progress import Progress
from trellis.training.contract import TaskFigures, TrainedModel
from trellis.training.examples import Example
from trellis.training.language_models.lesson import LanguageLesson
from trellis.training.options import TrainingOptions
from trellis.training.tuning.base import TunableBase, find_tunable_base
from trellis.training.tuning.memory import GIB
from trellis.training.tuning.network import copy_frame
from trellis.training.tuning.plan import LEARNT, DecidedPlan, decide_plan, open_run
from trellis.training.tuning.processes import fit_in_processes
from trellis.training.tuning.rows import SplitRows, encode_examples, split_rows


def tune_model(
    lessons: Sequence[LanguageLesson], cache: Path, options: TrainingOptions, report: Progress
) -> TrainedModel:
    """Tune the base on all lessons; goes on where a run of the same work stopped.

    Raises as `find_tunable_base`, and TrainingError where its memory is not free.
    """
    base = find_tunable_base(options, cache)
    examples = [example for lesson in lessons for example in lesson.examples]
    rows = encode_rows(base, examples)
    run = tune_on_rows(base, rows, options, report)
    learnt = find_run(options) / LEARNT
    return TrainedModel(
        figures={lesson.settings.task: run for lesson in lessons},
        save=partial(save_tuned, base, learnt),
        base=base.name,
        vocabulary=base.reader.vocabulary.fingerprint,
        chat_shots=options.tuning.shots if options.writes_chats else None,
    )


def save_tuned(base: TunableBase, learnt: Path, folder: Path) -> None:
    """Write the adapter or the weights that a folder holds, and the base's tokenizer and template,
    to another one."""
    for path in learnt.iterdir():
        shutil.copyfile(path, folder / path.name)
    copy_frame(base.folder, folder)


def find_run(options: TrainingOptions) -> Path:
    """The folder of the run, apart from those of other kinds of model."""
    return options.run_folder / "tuning"


def encode_rows(base: TunableBase, examples: Sequence[Example]) -> SplitRows:
    """The rows of examples; TrainingError where the model can read none."""
    reader = base.reader
    rows = encode_examples(examples, reader.vocabulary, reader.template, reader.context)
    if not rows:
        raise TrainingError(
            f"none of {len(examples)} examples fits into the {reader.context} tokens that "
            f"{base.name!r} can read",
            "use a base that reads more",
        )
    return split_rows(rows)


def tune_on_rows(
    base: TunableBase, rows: SplitRows, options: TrainingOptions, report: Progress
) -> TaskFigures:
    """Decide how, tell what it takes, and train; what is learnt is put into the run's folder."""
    decided = decide_plan(base, rows, options)
    plan = decided.plan
    report("tuning", 0, 1, describe_plan(decided, rows))
    folder = find_run(options)
    open_run(folder, plan, rows)
    if plan.processes > 1:
        return fit_in_processes(folder, plan.processes, report)
    from trellis.training.tuning.fit import fit_sentences  # late, as the Trainer takes seconds

    return fit_sentences(folder, report)


def describe_plan(decided: DecidedPlan, rows: SplitRows) -> str:
    """What a run takes, in a line."""
    plan = decided.plan
    what = f"LoRA of rank {plan.rank}" if plan.rank else "all weights"
    what += " over 4 bits" if plan.quantised else ""
    where = plan.device if plan.processes == 1 else f"{plan.processes} processes on {plan.device}"
    return (
        f"{what}, {len(rows.learnt)} rows of up to {rows.longest} tokens, {len(rows.held)} held "
        f"out; {plan.steps} steps of {plan.batch} rows on {where}; memory: {decided.estimate}, "
        f"of {decided.free / GIB:.1f} GiB free"
    )
