"""From lessons to one tuned model that does all of their tasks."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from trellis.domain.card import TaskSettings
from trellis.domain.errors import TrainingError
from trellis.graph.progress import Progress
from trellis.training.contract import TaskFigures
from trellis.training.examples import Example
from trellis.training.language_models.lesson import LanguageLesson
from trellis.training.options import TrainingOptions
from trellis.training.tuning.base import TunableBase, find_tunable_base
from trellis.training.tuning.memory import GIB
from trellis.training.tuning.network import copy_frame
from trellis.training.tuning.plan import LEARNT, DecidedPlan, decide_plan, open_run
from trellis.training.tuning.processes import fit_in_processes
from trellis.training.tuning.rows import SplitRows, encode_examples, split_rows


@dataclass(frozen=True, slots=True)
class TunedModel:
    """A general model that has learnt some tasks; `learnt`: the folder of its adapter or weights.

    `chat_shots`: the examples of its chats; None where it is asked by questions alone.
    """

    tuned: TunableBase
    figures: Mapping[str, TaskFigures]
    learnt: Path
    chat_shots: int | None

    @property
    def base(self) -> str:
        return self.tuned.name

    @property
    def vocabulary(self) -> str:
        return self.tuned.reader.vocabulary.fingerprint

    @property
    def settings(self) -> Mapping[str, TaskSettings]:
        return {}

    def save(self, folder: Path) -> None:
        """Write the adapter or the weights, and the base's tokenizer and template."""
        for path in self.learnt.iterdir():
            shutil.copyfile(path, folder / path.name)
        copy_frame(self.tuned.folder, folder)


def tune_model(
    lessons: Sequence[LanguageLesson], cache: Path, options: TrainingOptions, report: Progress
) -> TunedModel:
    """Tune the base on all lessons; goes on where a run of the same work stopped.

    Raises as `find_tunable_base`, and TrainingError where its memory is not free.
    """
    base = find_tunable_base(options, cache)
    examples = [example for lesson in lessons for example in lesson.examples]
    rows = encode_rows(base, examples)
    run = tune_on_rows(base, rows, options, report)
    figures = {lesson.settings.task: run for lesson in lessons}
    shots = options.tuning.shots if options.writes_chats else None
    return TunedModel(base, figures, find_run(options) / LEARNT, shots)


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
