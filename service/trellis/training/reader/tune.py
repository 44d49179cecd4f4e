"""Moves the reader a little for one graph: `trellis train --base reader`.

It begins where the shipped reader is, learns for some hundred steps over kept vectors of the
encoder, and is judged by lessons that were kept apart; where it is no better by them, it stays as
it was.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import torch

from trellis.domain.graphs.graph import Scalar
from trellis.engines.embeddings import find_minilm_folder
from trellis.graph.database.progress import Progress
from trellis.models.folder import check_target, read_card, write_folder
from trellis.models.reader.features import TextEncoder
from trellis.models.reader.folder import (
    READER,
    SHIPPED_READER,
    build_network,
    list_learnt_weights,
    load_weights,
    save_weights,
)
from trellis.models.reader.network import ReaderNetwork
from trellis.training.contract import TrainingTask
from trellis.training.graphs import TaughtGraph, read_lesson_request
from trellis.training.options import RUN, TrainingOptions, TrainingOutcome
from trellis.training.reader.batches import BatchMaker, EncodedLessons
from trellis.training.reader.graph_lessons import GraphReaderLessons, make_reader_lessons
from trellis.training.reader.kept_vectors import keep_vectors, load_vectors
from trellis.training.reader.learn import learn, score_batch
from trellis.training.reader.lessons import Lessons, LessonWriter

_STEPS = 300
_SHARE, _WARM_UP = 0.3, 20  # of the usual rate, and the steps until it
_GROUPS = 4  # of eight examples, in a batch
_HELD = 10  # one example of so many is kept apart
_JUDGED = 8  # batches


@dataclass(frozen=True, slots=True)
class TunedReader:
    """What a reader has learnt: its weights, its steps (0 where it stays as it was), and its loss
    on the lessons that were kept apart, before and after."""

    weights: Mapping[str, Any]
    steps: int
    loss_before: float
    loss: float


async def tune_reader(
    tasks: Sequence[TrainingTask[Any]], graph: TaughtGraph, options: TrainingOptions
) -> TrainingOutcome:
    """Move the shipped reader for a graph, and leave its folder at `options.out`.

    Raises EmptyGraphError, FileFormatError, InputError, TrainingError, and the errors of a folder
    that cannot be read.
    """
    began = time.monotonic()
    start = SHIPPED_READER if options.base == READER else Path(str(options.base))
    card = read_card(start)
    check_target(options.out, RUN)
    request, judged = await read_lesson_request(graph, tasks, options)
    made = await make_reader_lessons(request)
    tuned = await asyncio.to_thread(_tune, start, made, options, request.means.report)
    names = tuple(sorted(request.schema.names))
    figures: dict[str, Scalar] = {
        **made.source,
        "steps": tuned.steps,
        "seed": options.seed,
        "loss_before": round(tuned.loss_before, 6),
        "loss": round(tuned.loss, 6),
    }
    card = replace(card, schema_names=names, training=dict.fromkeys(card.tasks, figures))
    write_folder(options.out, card, lambda folder: save_weights(tuned.weights, folder))
    seconds = time.monotonic() - began
    return TrainingOutcome(card, len(made.examples), seconds, judged)


def _tune(
    start: Path, made: GraphReaderLessons, options: TrainingOptions, report: Progress
) -> TunedReader:
    torch.manual_seed(options.seed)
    folder = find_minilm_folder()
    encoder, network = TextEncoder(folder), build_network(folder)
    load_weights(network, start)
    with TemporaryDirectory() as kept:
        file = Path(kept) / "lessons.npz"
        writer = LessonWriter()
        for example in made.examples:
            writer.add_example(example)
        writer.save(file)
        keep_vectors(network, [file], encoder, report)
        encoded = EncodedLessons.encode(Lessons.load([file]), encoder)
        encoded = replace(encoded, vectors=load_vectors(file, encoded))
        return _learn_encoded(network, encoded, options, report)


def _learn_encoded(
    network: ReaderNetwork, encoded: EncodedLessons, options: TrainingOptions, report: Progress
) -> TunedReader:
    is_held = encoded.lessons.questions % _HELD == 0  # a question that is repeated is held whole
    held, taught = np.flatnonzero(is_held), np.flatnonzero(~is_held)
    judge = BatchMaker(encoded, _GROUPS, held)
    start = list_learnt_weights(network)
    before = _measure_loss(network, judge)
    wanted = options.steps or _STEPS
    steps = learn(
        network.train(),
        BatchMaker(encoded, _GROUPS, taught).iterate_batches(options.seed),
        "cpu",
        lambda step, loss, _: report("steps", step, wanted, f"loss {loss:.3f}"),
        lambda step: step / wanted,
        share=_SHARE,
        warm_up=_WARM_UP,
    )
    after = _measure_loss(network, judge)
    if not after < before:  # or is no number
        return TunedReader(start, 0, before, before)
    return TunedReader(list_learnt_weights(network), steps, before, after)


@torch.no_grad()
def _measure_loss(network: ReaderNetwork, judge: BatchMaker) -> float:
    network.eval()
    random = np.random.default_rng(0)
    batches = (judge.draw_batch(random) for _ in range(_JUDGED))
    return float(np.mean([float(score_batch(network, batch, "cpu").loss) for batch in batches]))
