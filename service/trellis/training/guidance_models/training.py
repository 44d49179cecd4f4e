"""Trains the Triple-GNN: seeded, resumable, on one thread.

Source: STEM, appendix C. Its loss is the binary cross-entropy of each entity, over entities that
are meant and others in equal parts: the paper samples both kinds, as nearly all are others.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.torch import save_file
from torch import Tensor
from torch.nn.functional import binary_cross_entropy_with_logits

from trellis.domain.structures.traces import BIAS
from trellis.engines.guidance import GUIDANCE_WEIGHTS
from trellis.models.guidance_network import EntityGraph, TripleGnn
from trellis.steps.ground.patterns.guide_entities import ENTITIES_A_TRIPLE, write_relation_words
from trellis.training.contract import TaskFigures, TrainedModel
from trellis.training.guidance_models.lesson import GuidanceExample, GuidanceLesson, TracedStep
from trellis.training.language_models.loop import Run, tell_step, use_one_thread
from trellis.training.means import TrainingContext
from trellis.training.options import TrainingOptions

_BATCH = 8  # examples of a step
_STEPS_AN_EXAMPLE, _LEAST, _MOST = 2, 300, 1_500
_RATE = 3e-3
_CHECKPOINT = 100  # steps between checkpoints
_HELD, _MOST_HELD = 0.1, 60  # share of examples that are held out, and the most of them

Vectors = Mapping[str, NDArray[np.float32]]


def train_guidance(
    lesson: GuidanceLesson, means: TrainingContext, options: TrainingOptions
) -> TrainedModel:
    """Train a network, and find the threshold at which traces are best on what is held out."""
    with use_one_thread():
        return _Trainer(lesson, means, options).train()


class _Trainer:
    def __init__(
        self, lesson: GuidanceLesson, means: TrainingContext, options: TrainingOptions
    ) -> None:
        settings = lesson.settings
        self._settings = settings
        self._report = means.report
        self._options = options
        self._vectors = _embed_texts(lesson.examples, means)
        held = min(_MOST_HELD, round(_HELD * len(lesson.examples)))
        order = random.Random(options.seed).sample(lesson.examples, len(lesson.examples))
        self._held = order[:held] if held else order[:_MOST_HELD]
        self._taught = order[held:]
        wanted = _STEPS_AN_EXAMPLE * len(self._taught)
        self._steps = options.steps or max(_LEAST, min(_MOST, wanted))
        torch.manual_seed(options.seed)
        self._network = TripleGnn(settings.dimensions, settings.width, settings.layers)

    def train(self) -> TrainedModel:
        loss = self._fit()
        self._network.eval()
        with torch.inference_mode():
            held_loss = float(np.mean([self._measure_loss(e).item() for e in self._held]))
        settings = replace(self._settings, threshold=self._calibrate())
        figures = {settings.task: TaskFigures(self._steps, loss, held_loss)}
        return TrainedModel(figures, self._save, settings={settings.task: settings})

    def _save(self, folder: Path) -> None:
        state = self._network.state_dict().items()
        save_file({name: value.contiguous() for name, value in state}, folder / GUIDANCE_WEIGHTS)

    def _fit(self) -> float:
        """Train for all steps; the running loss."""
        optimizer = torch.optim.AdamW(self._network.parameters(), lr=_RATE)
        schedule = torch.optim.lr_scheduler.OneCycleLR(
            optimizer, max_lr=_RATE, total_steps=self._steps + 1
        )
        run = Run(self._options.run_folder / self._settings.task, self._describe_run())
        state = run.load()
        done, loss = 0, 0.0
        if state is not None:
            self._network.load_state_dict(state["weights"])
            optimizer.load_state_dict(state["optimizer"])
            schedule.load_state_dict(state["schedule"])
            done, loss = int(state["step"]), float(state["loss"])
        for step, batch in enumerate(self._draw_batches(), start=1):
            if step <= done:
                continue
            value = torch.stack([self._measure_loss(example) for example in batch]).mean()
            optimizer.zero_grad()
            value.backward()  # type: ignore[no-untyped-call]
            torch.nn.utils.clip_grad_norm_(self._network.parameters(), 1.0)
            optimizer.step()
            schedule.step()
            loss = value.item() if step == 1 else 0.95 * loss + 0.05 * value.item()
            note = f"loss {loss:.3f}"
            stopped = tell_step(self._report, "guidance steps", step, self._steps, note)
            if stopped or (step % _CHECKPOINT == 0 and step < self._steps):
                run.save(
                    {
                        "weights": self._network.state_dict(),
                        "optimizer": optimizer.state_dict(),
                        "schedule": schedule.state_dict(),
                        "step": step,
                        "loss": loss,
                    }
                )
            if stopped:
                raise stopped.keep(step)
        return loss

    def _describe_run(self) -> dict[str, object]:
        return {
            "settings": self._settings.as_json(),
            "steps": self._steps,
            "seed": self._options.seed,
            "examples": [(e.triples, e.meant.tolist(), e.around.edges) for e in self._taught],
        }

    def _draw_batches(self) -> Iterator[list[GuidanceExample]]:
        generator = random.Random(self._options.seed + 1)
        for _ in range(self._steps):
            yield generator.choices(self._taught, k=_BATCH)

    def _score(self, example: GuidanceExample) -> Tensor:
        """The logit of each entity."""
        words = map(write_relation_words, example.around.relation_types)
        relations = np.stack([self._vectors[text] for text in words])
        triples = np.stack([[self._vectors[t] for t in triple] for triple in example.triples])
        logits: Tensor = self._network(
            EntityGraph.of(example.around),
            torch.from_numpy(relations),
            torch.from_numpy(triples),
            torch.from_numpy(example.anchors),
        )
        return logits

    def _measure_loss(self, example: GuidanceExample) -> Tensor:
        logits = self._score(example)
        labels = torch.zeros(len(logits))
        labels[torch.from_numpy(example.meant)] = 1
        losses = binary_cross_entropy_with_logits(logits, labels, reduction="none")
        others = losses[labels == 0]
        parts = [losses[labels == 1].mean(), others.mean()] if len(others) else [losses.mean()]
        return torch.stack(parts).mean()

    def _calibrate(self) -> float:
        """The threshold of T-scores with the best F1 of the triples that answer."""
        scored: list[tuple[float, bool]] = []
        with torch.inference_mode():
            for example in self._held:
                count = ENTITIES_A_TRIPLE * len(example.triples)
                scores = self._score(example).numpy()
                guided = np.zeros(len(scores), bool)
                guided[np.argsort(-scores, kind="stable")[:count]] = True
                for step in example.steps:
                    scored += self._score_step(example, step, guided)
        return choose_threshold(scored)

    def _score_step(
        self, example: GuidanceExample, traced: TracedStep, guided: NDArray[np.bool_]
    ) -> list[tuple[float, bool]]:
        """The T-scores of all relationships at a step's sources, and whether they are its own."""
        around = example.around
        own = self._vectors[write_relation_words(traced.step.relation)]
        likeness = [
            1.0 if name == traced.step.relation else float(self._vectors[words] @ own)
            for name, words in (
                (name, write_relation_words(name)) for name in around.relation_types
            )
        ]
        targets = set(traced.targets.tolist())
        scored = []
        for row in traced.sources.tolist():
            for entry in around.entries_of(row):
                is_own = entry.step == traced.step and entry.target in targets
                kind = around.relation_types.index(entry.relation)
                bias = BIAS if guided[row] and guided[entry.target] else 0.0
                scored.append((likeness[kind] + bias, is_own))
        return scored


def choose_threshold(scored: Sequence[tuple[float, bool]]) -> float:
    """The threshold from which on scores are right with the best F1: in the middle between the
    least score that it keeps and the next one below. 0.6, as in the paper, where nothing is
    right."""
    right = sum(is_right for _, is_right in scored)
    if not right:
        return 0.6
    best, threshold = -1.0, 0.6
    ordered = sorted(scored, key=lambda pair: -pair[0])
    kept = hits = 0
    for place, (score, is_right) in enumerate(ordered):
        kept, hits = kept + 1, hits + is_right
        below = ordered[place + 1][0] if place + 1 < len(ordered) else -1.0
        f1 = 2 * hits / (kept + right)
        if below < score and f1 > best:
            best, threshold = f1, (score + max(0.0, below)) / 2
    return round(threshold, 4)


def _embed_texts(examples: Sequence[GuidanceExample], means: TrainingContext) -> Vectors:
    texts = dict.fromkeys(text for e in examples for triple in e.triples for text in triple)
    texts |= dict.fromkeys(
        write_relation_words(name) for e in examples for name in e.around.relation_types
    )
    vectors = means.embedder.embed(list(texts))
    return dict(zip(texts, vectors, strict=True))
