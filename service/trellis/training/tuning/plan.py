"""How a run of tuning goes: decided before it begins, told, and kept in its folder."""

from __future__ import annotations

import hashlib
import json
import math
import shutil
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from trellis.domain.errors import TrainingError
from trellis.models.folder import write_text
from trellis.training.options import TrainingOptions, TuningOptions
from trellis.training.tuning.base import ALL_LINEAR, TunableBase
from trellis.training.tuning.memory import (
    GIB,
    Footprint,
    MemoryEstimate,
    StepShape,
    estimate_memory,
    read_free_memory,
)
from trellis.training.tuning.rows import SplitRows, read_rows, write_rows

LEARNT = "model"
"""The folder inside a run's that what was learnt is put in."""

_PLAN, _LEARNT, _HELD = "plan.json", "learnt.npz", "held.npz"

_SEEN = 12_000  # rows that a run sees, about, however many there are
_MOST_EPOCHS = 5.0

_LARGE = 500_000_000  # weights from which on the smaller rate is the better one
_RATES = {"small": 5e-4, "large": 2e-4, "full": 2e-5}

_FEWEST_TOKENS, _SENTENCE = 128, 16
"""Of the rows that a base must be able to learn, whatever the data."""

_PROCESSOR_TOKENS = 2_048  # that a processor reads at once: with more it is no faster


@dataclass(frozen=True, slots=True)
class TuningPlan:
    """A run. `base`: the folder of its weights. `rank`: of the adapter; 0: all weights learn.

    A step sees about `rows` x `accumulated` x `processes` rows, `rows` of them at once on each
    device.
    """

    base: str
    device: str
    rank: int
    alpha: int
    targets: tuple[str, ...]
    quantised: bool
    checkpointing: bool
    rows: int
    accumulated: int
    processes: int
    epochs: float
    steps: int
    rate: float
    seed: int

    @property
    def on_gpu(self) -> bool:
        """Whether it runs on a GPU."""
        return self.device.startswith("cuda")

    @property
    def batch(self) -> int:
        """The rows of a step."""
        return self.rows * self.accumulated * self.processes


@dataclass(frozen=True, slots=True)
class DecidedPlan:
    """A plan with the memory that each of its devices will need, and what was free there."""

    plan: TuningPlan
    estimate: MemoryEstimate
    free: int


def choose_device(named: str | None) -> str:
    """The device that is named, else a GPU where there is one."""
    import torch

    return named or ("cuda" if torch.cuda.is_available() else "cpu")


def count_processes(tuning: TuningOptions, device: str) -> int:
    """One for each GPU, unless a number or a single GPU is named."""
    import torch

    if tuning.processes:
        return tuning.processes
    return max(1, torch.cuda.device_count()) if device == "cuda" else 1


def check_base_fits(base: TunableBase, options: TrainingOptions) -> None:
    """Raise TrainingError where not even one short row can be learnt in the memory that is free."""
    _decide_step(base, options, StepShape(1, _FEWEST_TOKENS, _SENTENCE), 1)


def decide_plan(base: TunableBase, rows: SplitRows, options: TrainingOptions) -> DecidedPlan:
    """The plan that suits; TrainingError where its memory is not free."""
    tuning, device = options.tuning, choose_device(options.device)
    processes = count_processes(tuning, device)
    batch = max(1, min(tuning.batch, len(rows.learnt)) // processes)
    longest = StepShape(batch, rows.longest, rows.longest_sentence)
    held, step, estimate, free = _decide_step(base, options, longest, processes)
    epochs = tuning.epochs or max(1.0, min(_MOST_EPOCHS, round(_SEEN / len(rows.learnt))))
    accumulated = math.ceil(batch / step.rows)
    whole = step.rows * accumulated * processes
    plan = TuningPlan(
        base=str(base.folder),
        device=device,
        rank=held.rank,
        alpha=tuning.alpha or 2 * tuning.rank,
        targets=tuning.targets or (ALL_LINEAR,),
        quantised=tuning.quantised,
        checkpointing=held.checkpointing,
        rows=step.rows,
        accumulated=accumulated,
        processes=processes,
        epochs=epochs,
        steps=options.steps or max(1, math.ceil(epochs * len(rows.learnt) / whole)),
        rate=tuning.rate or _choose_rate(base, options),
        seed=options.seed,
    )
    return DecidedPlan(plan, estimate, free)


def _choose_rate(base: TunableBase, options: TrainingOptions) -> float:
    if options.full:
        return _RATES["full"]
    return _RATES["large" if base.size.weights >= _LARGE else "small"]


def _decide_step(
    base: TunableBase, options: TrainingOptions, longest: StepShape, processes: int
) -> tuple[Footprint, StepShape, MemoryEstimate, int]:
    """The most rows at once that fit; on a processor few, and without checkpointing where these
    fit, as more at once are no faster there.

    Processes on one processor share its memory, GPUs have theirs.
    """
    device = choose_device(options.device)
    on_gpu = device.startswith("cuda")
    free = options.tuning.memory or read_free_memory(device)
    share = free if on_gpu else free // processes
    rank = 0 if options.full else options.tuning.rank
    width = 2 if on_gpu and rank else 4
    counts = [longest.rows, *_list_smaller(longest.rows)]
    if not on_gpu:
        counts = [n for n in counts if n * longest.tokens <= _PROCESSOR_TOKENS] or counts[-1:]
    tried: list[MemoryEstimate] = []
    for checkpointing in (True,) if on_gpu else (False, True):
        held = Footprint(width, rank, options.tuning.quantised, checkpointing)
        for count in counts:
            step = StepShape(count, longest.tokens, longest.sentence)
            tried.append(estimate_memory(base.size, held, step))
            if tried[-1].total <= share:
                return held, step, tried[-1], share
    raise TrainingError(
        f"tuning {base.name!r} needs {tried[-1]} with one row of {longest.tokens} tokens at once, "
        f"and {share / GIB:.1f} GiB is free for it on {device}",
        _name_remedies(options, on_gpu),
    )


def _list_smaller(rows: int) -> list[int]:
    counts = []
    while rows > 1:
        rows = math.ceil(rows / 2)
        counts.append(rows)
    return counts


def _name_remedies(options: TrainingOptions, on_gpu: bool) -> str:
    ways = ["a smaller base", "fewer TRELLIS_PROMPT_TOKENS or --shots"]
    ways += ["LoRA in place of --full"] if options.full else []
    ways += ["--qlora"] if on_gpu and not (options.full or options.tuning.quantised) else []
    ways += ["more TRELLIS_TRAINING_MEMORY"] if options.tuning.memory else []
    return f"take {', or '.join(ways)}"


def open_run(folder: Path, plan: TuningPlan, rows: SplitRows) -> None:
    """Make a run's folder, or leave that of an unfinished run of the same work, which goes on."""
    key = _hash_work(plan, rows)
    if _read_key(folder) != key:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        write_rows(folder / _LEARNT, rows.learnt)
        write_rows(folder / _HELD, rows.held)
    write_text(folder / _PLAN, json.dumps({"key": key, "plan": asdict(plan)}, indent=1))


def read_run(folder: Path) -> tuple[TuningPlan, SplitRows]:
    """The plan and the rows of a run's folder."""
    body: dict[str, Any] = json.loads((folder / _PLAN).read_text("utf-8"))["plan"]
    rows = SplitRows(tuple(read_rows(folder / _LEARNT)), tuple(read_rows(folder / _HELD)))
    return TuningPlan(**{**body, "targets": tuple(body["targets"])}), rows


def _hash_work(plan: TuningPlan, rows: SplitRows) -> str:
    """What a run learns, and how; the same work may be laid out anew where less memory is free."""
    same = replace(plan, rows=1, accumulated=1, checkpointing=True)
    return hashlib.sha256(repr((same, rows)).encode()).hexdigest()


def _read_key(folder: Path) -> str | None:
    try:
        return str(json.loads((folder / _PLAN).read_text("utf-8"))["key"])
    except (OSError, ValueError, KeyError):
        return None
