"""The training loop: seeded, resumable, equal bit for bit on a CPU with as many threads.

Loss and decoding agree: probabilities are taken over the tokens that sentences consist of, as
masks leave nothing else when the model is asked.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from pickle import UnpicklingError
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

from trellis.domain.errors import TrainingStoppedError
from trellis.graph.database.progress import Progress, ignore_progress
from trellis.training.contract import TaskFigures
from trellis.training.language_models.held_out import CHECKS, HeldOutLoss
from trellis.training.language_models.optimizers import Optimizers, make_optimizers
from trellis.training.language_models.rows import (
    IGNORED,
    Batch,
    Dataset,
    TokenRows,
    draw_batches,
    make_batch,
)
from trellis.training.language_models.token_tables import pick_rows

_JUDGED = 64  # held-out rows at a time
_WARM = 0.05  # share of the steps in which the rate rises
_DECAY = 0.01
_CLIP = 1.0


@dataclass(frozen=True, slots=True)
class TrainingPlan:
    """How to train. One step sees `batch` rows."""

    steps: int
    batch: int = 32
    rate: float = 2e-3
    seed: int = 0
    average: float = 0.0  # share of the steps that the weights' moving average looks back
    checkpoint: int = 500  # steps between checkpoints


@contextmanager
def use_one_thread() -> Iterator[None]:
    """Equal sums need an equal number of threads."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def tell_step(
    report: Progress, stage: str, step: int, end: int, note: str
) -> TrainingStoppedError | None:
    """Report a step; what stops training there, so that the step is kept before it is raised."""
    try:
        report(stage, step, end, note)
    except TrainingStoppedError as stopped:
        return stopped
    return None


class Run:
    """A run's state in a folder: it goes on where a run with the same arguments stopped."""

    def __init__(self, folder: Path, arguments: Mapping[str, Any]) -> None:
        said = json.dumps(arguments, sort_keys=True, default=str)
        self._key = hashlib.sha256(said.encode()).hexdigest()
        self._path = folder / "checkpoint.pt"

    def load(self) -> dict[str, Any] | None:
        """The last checkpoint of these arguments, if there is a readable one."""
        try:
            state: dict[str, Any] = torch.load(self._path, weights_only=True)
        except (OSError, RuntimeError, EOFError, ValueError, KeyError, UnpicklingError):
            return None
        return state if state.get("key") == self._key else None

    def save(self, state: Mapping[str, Any]) -> None:
        """Keep a checkpoint, whole or not at all."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        part = self._path.with_suffix(".part")
        torch.save({**state, "key": self._key}, part)
        part.replace(self._path)


def fit_model(
    model: nn.Module,
    datasets: Sequence[Dataset],
    plan: TrainingPlan,
    run: Run | None = None,
    report: Progress = ignore_progress,
) -> dict[str, TaskFigures]:
    """Train the parameters of `model` that want a gradient, a Hugging Face causal model; what came
    of each task.

    A batch is of one dataset, and its loss is over the tokens that this dataset's sentences have.
    Where held-out rows are not told better any more, the rate is brought down early.
    """
    torch.manual_seed(plan.seed)
    device = next(model.parameters()).device
    weights = [p for p in model.parameters() if p.requires_grad]
    causal: Any = model
    tokens = causal.get_input_embeddings(), causal.get_output_embeddings()
    optimizer = make_optimizers(model, tokens, plan.rate, _DECAY)
    sayable = {each.task: torch.tensor(each.rows.sayable, device=device) for each in datasets}
    averaged = _make_average(model, plan)
    losses, held, schedule = _RunningLosses(), HeldOutLoss({}), _Schedule(plan, plan.steps)
    kept = losses, held, schedule
    done = _resume_training(model, optimizer, averaged, kept, run)
    if done:
        report("resumed", 1, 1, f"behind step {done:,} of {schedule.end:,}")
    check = max(1, plan.steps // CHECKS)
    model.train()
    batches = itertools.islice(draw_batches(datasets, plan.batch, plan.seed), done, None)
    for step, (dataset, picked) in enumerate(batches, start=done + 1):
        if step > schedule.end:
            break
        optimizer.set_rate(plan.rate * schedule.find_rate(step))
        batch = make_batch(dataset.rows, picked, device)
        value = _compute_loss(model, batch, sayable[dataset.task])
        value.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(weights, _CLIP)
        optimizer.step()
        if averaged is not None and step > schedule.end // 2:
            averaged.update_parameters(model)
        losses.add_loss(dataset.task, value.item())
        note = ""
        if step % check == 0:
            held.measure(datasets, lambda rows, task: _measure_loss(model, rows, sayable[task]))
            note = held.describe(losses.losses)
            if held.has_learnt_enough:
                schedule.end_soon(step)
        stopped = tell_step(report, "steps", step, schedule.end, note)
        is_due = step % plan.checkpoint == 0 and step < schedule.end
        if run is not None and (is_due or stopped):
            run.save(_build_checkpoint(model, optimizer, averaged, step, kept))
        if stopped:
            raise stopped.keep(step if run else None)
    if averaged is not None and averaged.n_averaged:
        model.load_state_dict(averaged.module.state_dict())
    model.eval()
    return losses.read_figures(held.losses)


class _RunningLosses:
    """The running mean of each task's loss, and how many steps it took."""

    def __init__(self) -> None:
        self.state: dict[str, tuple[int, float]] = {}

    def add_loss(self, task: str, value: float) -> None:
        steps, loss = self.state.get(task, (0, value))
        self.state[task] = (steps + 1, 0.95 * loss + 0.05 * value if steps else value)

    @property
    def losses(self) -> dict[str, float]:
        return {task: loss for task, (_, loss) in self.state.items()}

    def read_figures(self, held: Mapping[str, float]) -> dict[str, TaskFigures]:
        return {
            task: TaskFigures(steps, loss, held.get(task))
            for task, (steps, loss) in self.state.items()
        }


@dataclass(slots=True)
class _Schedule:
    """The rate by step, as a share of the plan's: a linear warm-up, then half a cosine down to a
    twentieth. Ended soon, it comes down in a line instead, in a quarter of the steps so far."""

    plan: TrainingPlan
    end: int
    falls: int = 0  # the step from which on it comes down early; 0: it does not

    def end_soon(self, step: int) -> None:
        if not self.falls and step + step // 4 < self.end:
            self.falls, self.end = step, step + max(1, step // 4)

    def find_rate(self, step: int) -> float:
        if not self.falls or step <= self.falls:
            return _schedule_rate(step, self.plan)
        left = (self.end - step) / (self.end - self.falls)
        return max(0.05, _schedule_rate(self.falls, self.plan) * left)


_State = tuple[_RunningLosses, HeldOutLoss, _Schedule]


def _make_average(model: nn.Module, plan: TrainingPlan) -> AveragedModel | None:
    """A copy of the model that follows it slowly, over the second half of the steps."""
    looks_back = plan.average * plan.steps
    if looks_back <= 1:
        return None
    mean = get_ema_multi_avg_fn(1 - 1 / looks_back)  # type: ignore[no-untyped-call]
    return AveragedModel(model, multi_avg_fn=mean)


def _compute_loss(model: nn.Module, rows: Batch, sayable: Tensor) -> Tensor:
    """Weighted mean over rows of each sentence's negative log-probability per token."""
    causal: Any = model
    hidden = causal.base_model(input_ids=rows.inputs).last_hidden_state  # b, t, d
    said = rows.labels != IGNORED
    head = pick_rows(causal.get_output_embeddings(), sayable)  # |sayable|, d
    logits = functional.linear(hidden[said], head).float()  # n, |sayable|
    labels = torch.searchsorted(sayable, rows.labels[said])
    losses = functional.cross_entropy(logits, labels, reduction="none")
    weights = rows.weights[:, None].expand_as(rows.labels)[said]
    return (losses * weights).sum() / weights.sum()


def _measure_loss(model: nn.Module, rows: TokenRows, sayable: Tensor) -> float:
    """The loss of held-out rows, by row."""
    device = next(model.parameters()).device
    model.eval()
    with torch.inference_mode():
        parts = [
            (len(picked), _compute_loss(model, make_batch(rows, picked, device), sayable).item())
            for start in range(0, len(rows), _JUDGED)
            if (picked := range(start, min(start + _JUDGED, len(rows))))
        ]
    model.train()
    return sum(count * loss for count, loss in parts) / len(rows)


def _schedule_rate(step: int, plan: TrainingPlan) -> float:
    """Linear warm-up, then half a cosine down to a twentieth."""
    warm = max(1, round(_WARM * plan.steps))
    if step < warm:
        return step / warm
    at = (step - warm) / max(1, plan.steps - warm)
    return 0.05 + 0.95 * 0.5 * (1 + math.cos(math.pi * at))


def _resume_training(
    model: nn.Module,
    optimizer: Optimizers,
    averaged: AveragedModel | None,
    kept: _State,
    run: Run | None,
) -> int:
    """Put a checkpoint's state back; the steps done before."""
    state = run.load() if run is not None else None
    if state is None:
        return 0
    model.load_state_dict(state["weights"], strict=False)
    if averaged is not None:
        averaged.load_state_dict(state["averaged"], strict=False)
    optimizer.load_state_dict(state["optimizer"])
    torch.set_rng_state(state["random"])
    losses, held, schedule = kept
    losses.state = dict(state["losses"])
    held.losses, held.best, held.waited = state["held"]
    schedule.end, schedule.falls = state["schedule"]
    return int(state["step"])


def _build_checkpoint(
    model: nn.Module, optimizer: Optimizers, averaged: AveragedModel | None, step: int, kept: _State
) -> dict[str, Any]:
    """A checkpoint: trained weights only."""
    losses, held, schedule = kept
    return {
        "weights": _collect_trained_weights(model),
        "averaged": averaged
        and {**_collect_trained_weights(averaged), "n_averaged": averaged.n_averaged},
        "optimizer": optimizer.state_dict(),
        "random": torch.get_rng_state(),
        "step": step,
        "losses": losses.state,
        "held": (held.losses, held.best, held.waited),
        "schedule": (schedule.end, schedule.falls),
    }


def _collect_trained_weights(model: nn.Module) -> dict[str, Tensor]:
    """The state of the weights that want a gradient."""
    wanted = {name for name, p in model.named_parameters() if p.requires_grad}
    return {name: value for name, value in model.state_dict().items() if name in wanted}
