"""The training itself: the Trainer of transformers, with a loss on sentences alone.

It brings bfloat16, gradient accumulation, several processes (by accelerate), checkpoints and early
stopping. Rows are padded on the left, so that the sentences of a batch end together, and logits are
computed of these alone: those of the prompts would take most of the memory.
"""

from __future__ import annotations

import math
import resource
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional
from torch.utils.data import Dataset, Sampler
from transformers import (
    EarlyStoppingCallback,
    PrinterCallback,
    Trainer,
    TrainerCallback,
    TrainingArguments,
)
from transformers.trainer import TRAINER_STATE_NAME
from transformers.trainer_pt_utils import LengthGroupedSampler

from trellis.domain.errors import TrainingStoppedError
from trellis.graph.database.progress import Progress
from trellis.training.contract import TaskFigures
from trellis.training.language_models.loop import tell_step
from trellis.training.tuning.memory import GIB
from trellis.training.tuning.network import open_network, save_network
from trellis.training.tuning.plan import LEARNT, TuningPlan, read_run
from trellis.training.tuning.rows import SentenceRow

IGNORED = -100
_CHECKS = 20  # in a run, of the held-out loss
_PATIENCE = 4  # checks without a better one, after which training ends
_WARM = 0.05  # share of the steps
_CHECKPOINTS = "checkpoints"


class RowDataset(Dataset[SentenceRow]):
    """Rows as torch's loaders take them."""

    def __init__(self, rows: Sequence[SentenceRow]) -> None:
        self._rows = rows

    def __len__(self) -> int:
        return len(self._rows)

    def __getitem__(self, index: int) -> SentenceRow:
        return self._rows[index]

    @property
    def lengths(self) -> list[int]:
        """The tokens of each row."""
        return [len(row.tokens) for row in self._rows]


def collate_rows(rows: Sequence[SentenceRow]) -> dict[str, Any]:
    """A batch: `input_ids`, `attention_mask` and `position_ids` [b, t]; `labels` [b, s + 1], which
    belong to the last columns; `weights` [b]."""
    longest = max(len(row.tokens) for row in rows)
    judged = max(row.sentence for row in rows) + 1
    inputs = torch.zeros(len(rows), longest, dtype=torch.long)
    mask = torch.zeros(len(rows), longest, dtype=torch.long)
    labels = torch.full((len(rows), judged), IGNORED)
    for at, row in enumerate(rows):
        inputs[at, -len(row.tokens) :] = torch.tensor(row.tokens)
        mask[at, -len(row.tokens) :] = 1
        labels[at, -row.sentence :] = inputs[at, -row.sentence :]
    return {
        "input_ids": inputs,
        "attention_mask": mask,
        "position_ids": (mask.cumsum(1) - 1).clamp(min=0),
        "labels": labels,
        "weights": torch.tensor([row.weight for row in rows]),
    }


class SentenceTrainer(Trainer):  # type: ignore[misc]
    """A trainer whose loss is the mean of the sentences' tokens, each as heavy as its row."""

    def __init__(self, **arguments: Any) -> None:
        super().__init__(**arguments)
        self.model_accepts_loss_kwargs = True  # the loss is a mean over all that a step reads

    def compute_loss(
        self,
        model: Any,
        inputs: dict[str, Any],
        return_outputs: bool = False,
        num_items_in_batch: Tensor | int | None = None,
    ) -> Any:
        """The loss of a part of a step; `num_items_in_batch`: the tokens of the whole step."""
        labels, weights = inputs.pop("labels"), inputs.pop("weights")
        outputs = model(**inputs, logits_to_keep=labels.shape[1])
        logits = outputs.logits[:, :-1].flatten(0, 1).float()  # b * s, v
        said = labels[:, 1:]
        losses = functional.cross_entropy(
            logits, said.flatten(), ignore_index=IGNORED, reduction="none"
        )
        total = (losses.view_as(said) * weights[:, None]).sum()
        if num_items_in_batch is None:
            loss = total / (said != IGNORED).sum()
        else:  # gradients are averaged over the processes afterwards
            loss = total / num_items_in_batch * self.accelerator.num_processes
        return (loss, outputs) if return_outputs else loss

    def _get_train_sampler(self, train_dataset: Any = None) -> Sampler[int]:
        """Rows of like length go together, in another order at each epoch."""
        rows: Any = self.train_dataset if train_dataset is None else train_dataset
        generator = torch.Generator().manual_seed(self.args.seed)
        size = self.args.train_batch_size * self.args.gradient_accumulation_steps
        return LengthGroupedSampler(  # type: ignore[no-any-return]
            size * self.args.world_size, lengths=rows.lengths, generator=generator
        )


@dataclass
class _Teller(TrainerCallback):  # type: ignore[misc]
    """Tells after each step how long one takes, the memory, what is left, and the losses."""

    report: Progress
    device: torch.device
    loss: float = math.nan
    held: float | None = None
    steps: list[float] = field(default_factory=list)
    began: float = field(default_factory=time.monotonic)
    begun: float = 0.0
    stopped: TrainingStoppedError | None = None

    def on_log(
        self, _args: Any, _state: Any, _control: Any, logs: dict[str, float], **_: Any
    ) -> None:
        """Keep the losses."""
        if "loss" in logs:
            mean = logs["loss"] if math.isnan(self.loss) else self.loss
            self.loss = 0.9 * mean + 0.1 * logs["loss"]
        self.held = logs.get("eval_loss", self.held)

    def on_step_begin(self, *_: Any, **__: Any) -> None:
        """Begin to measure a step."""
        self.begun = time.monotonic()

    def on_step_end(self, _args: Any, state: Any, control: Any, **_: Any) -> None:
        """Report a step; where training is stopped there, have it kept first."""
        if self.device.type == "cuda":
            torch.cuda.synchronize(self.device)
        self.steps.append(time.monotonic() - self.begun)
        if state.is_world_process_zero:
            said = state.global_step, state.max_steps, self._describe(state)
            self.stopped = tell_step(self.report, "steps", *said)
        if self.stopped:
            control.should_save = control.should_training_stop = True

    def _describe(self, state: Any) -> str:
        later = self.steps[1:] or self.steps  # the first one loads much
        in_all = (time.monotonic() - self.began) / len(self.steps)  # checks and checkpoints too
        left = in_all * (state.max_steps - state.global_step)
        seconds = sum(later) / len(later)
        told = f"{seconds:.2f} s a step, {read_peak_memory(self.device) / GIB:.1f} GiB at most, "
        told += f"{_write_time(left)} left"
        told += "" if math.isnan(self.loss) else f"; loss {self.loss:.3f}"
        return told + ("" if self.held is None else f", held out {self.held:.3f}")


def fit_sentences(folder: Path, report: Progress) -> TaskFigures:
    """Train as the plan in a run's folder says, on the rows there; goes on from its last
    checkpoint. What was learnt is put into the folder, by the first process if there are several.
    """
    plan, rows = read_run(folder)
    judged = len(rows.held) > 0
    arguments = _choose_arguments(plan, folder, judged)
    torch.manual_seed(plan.seed)
    teller = _Teller(report, arguments.device)
    trainer = SentenceTrainer(
        model=open_network(plan),
        args=arguments,
        data_collator=collate_rows,
        train_dataset=RowDataset(rows.learnt),
        eval_dataset=RowDataset(rows.held) if judged else None,
        callbacks=[teller, *([EarlyStoppingCallback(_PATIENCE)] if judged else [])],
    )
    trainer.remove_callback(PrinterCallback)
    last = _find_checkpoint(folder / _CHECKPOINTS)
    if last:
        report("resumed", 1, 1, f"from {last.name}")
    trainer.train(resume_from_checkpoint=str(last) if last else None)
    if teller.stopped:
        raise teller.stopped.keep(trainer.state.global_step)
    if trainer.is_world_process_zero():
        save_network(trainer.accelerator.unwrap_model(trainer.model), plan, folder / LEARNT)
    best = trainer.state.best_metric
    return TaskFigures(trainer.state.global_step, teller.loss, best)


def _find_checkpoint(folder: Path) -> Path | None:
    """The last checkpoint that was written to its end, of which the trainer's state is the last
    file."""
    whole = [path.parent for path in folder.glob(f"checkpoint-*/{TRAINER_STATE_NAME}")]
    return max(whole, key=lambda path: int(path.name.rpartition("-")[2]), default=None)


def _choose_arguments(plan: TuningPlan, folder: Path, judged: bool) -> TrainingArguments:
    every = max(1, plan.steps // _CHECKS)
    when = "steps" if judged else "no"
    arguments = TrainingArguments(
        output_dir=str(folder / _CHECKPOINTS),
        max_steps=plan.steps,
        per_device_train_batch_size=plan.rows,
        per_device_eval_batch_size=plan.rows,
        gradient_accumulation_steps=plan.accumulated,
        learning_rate=plan.rate,
        lr_scheduler_type="cosine",
        warmup_steps=max(1, round(_WARM * plan.steps)),
        bf16=plan.on_gpu,
        seed=plan.seed,
        use_cpu=not plan.on_gpu,
        eval_strategy=when,
        eval_steps=every,
        save_strategy="steps",
        save_steps=every,
        save_total_limit=2,
        load_best_model_at_end=judged,
        metric_for_best_model="eval_loss" if judged else None,
        greater_is_better=False,
        logging_steps=1,
        report_to="none",
        disable_tqdm=True,
        prediction_loss_only=True,
        remove_unused_columns=False,
        label_names=["labels"],
        dataloader_pin_memory=plan.on_gpu,
        ddp_find_unused_parameters=False if plan.processes > 1 else None,
    )
    if arguments.device.type == "cuda":
        arguments._n_gpu = 1  # several GPUs have a process each, and are never driven by threads
    return arguments


def read_peak_memory(device: torch.device) -> int:
    """The most bytes that this process took so far, on a GPU or on the processor."""
    if device.type == "cuda":
        return torch.cuda.max_memory_reserved(device)
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def _write_time(seconds: float) -> str:
    """`40 s`, `12 min` or `3.4 h`."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
