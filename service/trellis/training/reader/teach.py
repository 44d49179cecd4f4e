"""Teaches a reader from files of lessons, and goes on where an earlier run stopped."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from time import monotonic
from typing import Any

import numpy as np
import torch
from safetensors import safe_open
from safetensors.torch import load_file, save_file
from torch.utils.data import DataLoader, IterableDataset, get_worker_info

from trellis.automata.cypher.options import RenderingOptions
from trellis.automata.patterns.language import MOST_TRIPLES
from trellis.domain.errors import TrainingError
from trellis.domain.models.card import Calibration, ModelCard
from trellis.graph.database.progress import Progress
from trellis.models.reader.features import TextEncoder
from trellis.models.reader.folder import READER, list_learnt_weights, save_network
from trellis.models.reader.network import ReaderNetwork
from trellis.steps.retrieve.chains.settings import ChainSettings
from trellis.steps.retrieve.paths.settings import PathSettings
from trellis.steps.retrieve.patterns.settings import PatternSettings
from trellis.steps.retrieve.queries.settings import CypherSettings
from trellis.steps.retrieve.schema_graphs.settings import AssertionSettings, SchemaGraphSettings
from trellis.training.reader.batches import BatchMaker, EncodedLessons, LessonBatch
from trellis.training.reader.kept_vectors import keep_vectors, load_vectors
from trellis.training.reader.learn import learn, score_batch
from trellis.training.reader.lessons import Lessons

HOPS = 3
"""Relations of a path that a reader is asked for."""

_LEAST_SURE = 0.3  # confidence below which a query's answer is held back: docs/decisions/0156
_HELD_PART = 25  # one file of so many is kept apart, to judge by
_JUDGED = 6  # batches
_EACH_SAVE = 60.0  # seconds
_KEPT_GRAPHS = 4  # graphs of a batch whose vectors were kept
_READ_AHEAD = 8  # batches, of each process that makes them


@dataclass(frozen=True, slots=True)
class TeachingPlan:
    """How long a reader learns, and by what. `seconds`: of learning, all runs together, and
    `encoder_seconds`: of these the first ones, in which the encoder changes too; behind them its
    vectors are kept. `graphs`: of a batch. `processes`: that make batches of the first part beside
    the one that learns (0: none)."""

    seconds: float
    encoder_seconds: float
    device: str = "cpu"
    graphs: int = 24
    processes: int = 0
    seed: int = 0


@dataclass(frozen=True, slots=True)
class TeachingFigures:
    """How a reader learnt: its steps in this run, and, of the questions that were kept apart, the
    shares of queries and of paths that it says right at every step."""

    steps: int
    right_queries: float
    right_paths: float


class LessonStream(IterableDataset[LessonBatch]):
    """Batches without end; each process that reads it has a part of the files."""

    def __init__(self, files: Sequence[Path], encoder: Path, graphs: int, seed: int) -> None:
        self._files = files
        self._encoder = encoder
        self._graphs = graphs
        self._seed = seed

    def __iter__(self) -> Iterator[LessonBatch]:
        worker = get_worker_info()
        number, count = (worker.id, worker.num_workers) if worker else (0, 1)
        own = self._files[number::count] or self._files
        maker = make_batch_maker(own, self._encoder, self._graphs)
        return maker.iterate_batches(self._seed + number)


def make_batch_maker(files: Sequence[Path], encoder: Path, graphs: int) -> BatchMaker:
    """Draws batches of the lessons of some files."""
    return BatchMaker(EncodedLessons.encode(Lessons.load(files), TextEncoder(encoder)), graphs)


def iterate_kept_batches(files: Sequence[Path], encoder: Path, seed: int) -> Iterator[LessonBatch]:
    """Batches without end whose vectors were kept, each of one file."""
    texts, random = TextEncoder(encoder), np.random.default_rng(seed)
    makers: dict[Path, BatchMaker] = {}
    while True:
        file = files[int(random.integers(len(files)))]
        if file not in makers:
            encoded = EncodedLessons.encode(Lessons.load([file]), texts)
            vectors = load_vectors(file, encoded)
            makers[file] = BatchMaker(replace(encoded, vectors=vectors), _KEPT_GRAPHS)
        yield makers[file].draw_batch(random)


def teach_reader(
    network: ReaderNetwork,
    files: Sequence[Path],
    encoder: Path,
    out: Path,
    plan: TeachingPlan,
    report: Progress,
) -> TeachingFigures:
    """Teach a reader from files of lessons, and write its folder. `encoder`: where the sentence
    encoder's tokenizer lies. What it learnt is kept beside `out` every minute, and
    the next run goes on from there.

    Raises TrainingError where there are too few lessons.
    """
    held, taught = files[::_HELD_PART], [file for file in files if file not in files[::_HELD_PART]]
    if not taught:
        raise TrainingError(
            f"{len(files)} files of lessons are too few: one is kept apart", "make more graphs"
        )
    torch.manual_seed(plan.seed)
    kept = KeptProgress(out.with_name(f"{out.name}.part.safetensors"))
    done = kept.restore(network)
    network.to(plan.device).train()
    last = monotonic()

    def report_step(step: int, loss: float, seconds: float) -> None:
        nonlocal last
        note = f"step {step}, loss {loss:.3f}"
        report("seconds learnt", round(done + seconds), round(plan.seconds), note)
        if monotonic() - last > _EACH_SAVE:
            last = monotonic()
            kept.save(network, done + seconds)

    def draw_all() -> Iterator[LessonBatch]:
        return _read_ahead(LessonStream(taught, encoder, plan.graphs, plan.seed), plan)

    def draw_kept() -> Iterator[LessonBatch]:
        keep_vectors(network, taught, TextEncoder(encoder), report)
        return iterate_kept_batches(taught, encoder, plan.seed)

    steps = 0
    whole, part = (0.0, plan.encoder_seconds), (plan.encoder_seconds, plan.seconds)
    for draw_batches, (start, end) in ((draw_all, whole), (draw_kept, part)):
        if done >= end:
            continue
        means = network, draw_batches(), plan.device, report_step
        steps += learn(*means, measure_time(end - start, done - start))
        done = end
        kept.save(network, done)
    judge = make_batch_maker(held, encoder, plan.graphs)
    queries, paths = judge_network(network, judge, plan)
    save_network(out, build_card(), network)
    kept.forget()
    return TeachingFigures(steps, queries, paths)


def measure_time(seconds: float, begun_at: float = 0.0) -> Callable[[int], float]:
    """Which share of some seconds is over, of which `begun_at` were before."""
    begun = monotonic()
    return lambda _: (begun_at + monotonic() - begun) / seconds


def build_card() -> ModelCard:
    """What a reader's card says: it belongs to no graph."""
    queries = CypherSettings.of_options(RenderingOptions())
    paths = PathSettings(
        hops=HOPS, revisit="any", meets=True, general_words=True, prefers_simple=True
    )
    chains = ChainSettings(revisit="any", ahead=HOPS, general_words=True, prefers_simple=True)
    patterns = PatternSettings(most_triples=MOST_TRIPLES, general_words=True)
    assertions = AssertionSettings(words="schema", general_words=True)
    graphs = SchemaGraphSettings(general_words=True)
    card = ModelCard.of(READER, queries, paths, chains, patterns, assertions, graphs)
    calibrations = {"graphraft": Calibration(abstain_below=_LEAST_SURE)}
    told_as = {each.task: paths.task for each in (chains, patterns, assertions)}
    return replace(card, is_general=True, calibrations=calibrations, told_as=told_as)


@torch.no_grad()
def judge_network(
    network: ReaderNetwork, judge: BatchMaker, plan: TeachingPlan
) -> tuple[float, float]:
    """The shares of queries and of paths that are right at every step."""
    network.eval()
    random = np.random.default_rng(plan.seed)
    right, every = np.zeros(2), np.zeros(2)
    for _ in range(_JUDGED):
        batch = judge.draw_batch(random)
        whole = score_batch(network, batch, plan.device).find_right()
        for task in (0, 1):
            right[task] += whole[batch.task == task].sum()
            every[task] += (batch.task == task).sum()
    queries, paths = right / np.maximum(every, 1)
    return float(queries), float(paths)


class KeptProgress:
    """What was learnt so far, in a file, with the seconds that it took."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def save(self, network: ReaderNetwork, seconds: float) -> None:
        part = self._file.with_suffix(".new")
        save_file(dict(list_learnt_weights(network)), part, {"seconds": str(seconds)})
        part.replace(self._file)

    def restore(self, network: ReaderNetwork) -> float:
        """Take over what was learnt, and give its seconds; 0 where nothing was."""
        if not self._file.is_file():
            return 0.0
        with safe_open(self._file, "pt") as kept:
            seconds = float(kept.metadata()["seconds"])
        network.load_state_dict(load_file(self._file), strict=False)
        return seconds

    def forget(self) -> None:
        self._file.unlink(missing_ok=True)


def _read_ahead(stream: LessonStream, plan: TeachingPlan) -> Iterator[LessonBatch]:
    """The batches, made by other processes where the plan has some."""
    if not plan.processes:
        return iter(stream)
    loader = DataLoader(
        stream,
        batch_size=None,
        num_workers=plan.processes,
        prefetch_factor=_READ_AHEAD,
        collate_fn=_keep_batch,
    )
    return iter(loader)


def _keep_batch(batch: Any) -> Any:
    return batch
