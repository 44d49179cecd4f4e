"""The speed of batches by one process and by two, beside an evaluation."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.figure import Figure
from trellis.batch.library import load_ray
from trellis.batch.manifest import BatchManifest
from trellis.cli.models.suites import ask_suite, open_row_asker
from trellis.graph.database.progress import Progress
from trellis.graph.loading.folder import FolderSource
from trellis.questions.row import QuestionRow
from trellis.settings import Settings
from trellis.wiring.assemble import assemble_app

_METHOD = "gcr"
_ASKED = 300
_UNTIMED = _ASKED // 4  # until all processes are at work


class _Stopwatch:
    """A `Progress` that takes the time between the first quarter of the questions and the last."""

    def __init__(self) -> None:
        self._seen: list[tuple[int, float]] = []

    def __call__(
        self,
        stage: str,  # noqa: ARG002
        done: int,
        total: int | None,  # noqa: ARG002
        note: str = "",  # noqa: ARG002
    ) -> None:
        if done >= _UNTIMED:
            self._seen.append((done, time.perf_counter()))

    def compute_rate(self) -> float:
        """Questions a second."""
        (first, began), (last, ended) = self._seen[0], self._seen[-1]
        return (last - first) / (ended - began)


def measure_batches(settings: Settings, graph: Path) -> Iterator[Figure]:
    """Questions a second of `evaluate`, and of batches by one actor and by two, start-up apart.

    The database of the settings holds the graph of a folder, whose nodes are asked for.
    """
    load_ray(is_local=True)
    rows = _make_questions(graph)
    watch = _Stopwatch()
    asyncio.run(_evaluate(settings, rows, watch))
    alone = watch.compute_rate()
    yield Figure("evaluate, questions a second", f"{alone:.1f}")
    for actors in (1, 2):
        watch = _Stopwatch()
        _run_batch(settings, rows, actors, watch)
        rate = watch.compute_rate()
        name = f"batch by {actors} actor{'s' if actors > 1 else ''}, questions a second"
        yield Figure(name, f"{rate:.1f}, {rate / alone:.1f} times evaluate")


def _make_questions(graph: Path) -> list[QuestionRow]:
    """What the first nodes of a graph are asked for; no two alike."""
    names = dict.fromkeys(str(node.properties["name"]) for node in FolderSource(graph).read_nodes())
    texts = [f"In which country is {name}?" for name in names]
    return [QuestionRow(str(number), text) for number, text in enumerate(texts[:_ASKED])]


async def _evaluate(settings: Settings, rows: Sequence[QuestionRow], report: Progress) -> None:
    async with assemble_app(settings.model_copy(update={"trie_cache": 0})) as opened:
        await ask_suite(opened, rows, _METHOD, "linked", report)


def _run_batch(
    settings: Settings, rows: Sequence[QuestionRow], actors: int, report: Progress
) -> None:
    from trellis.batch.pool import open_pool
    from trellis.batch.run import BatchRun

    open_asker = partial(open_row_asker, settings, None, _METHOD, "linked", 1, needs_models=True)
    manifest = BatchManifest("made", "", _METHOD, "linked", {}, settings.graph, "", {})
    with TemporaryDirectory() as folder:
        run = BatchRun(Path(folder), manifest, rows, "none", _ASKED, report, lambda _: None)
        run.run(partial(open_pool, actors, open_asker, None))
