"""`trellis batch`: answers all questions of a file by several processes, on one machine or more."""

from __future__ import annotations

import asyncio
import json
import re
import signal
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import asdict
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from trellis.batch.library import end_process, load_ray
from trellis.batch.manifest import BatchManifest, hash_file
from trellis.batch.retries import Retry
from trellis.cli.opening import open_app, open_graph
from trellis.cli.operation.children import end_children_on_signals
from trellis.cli.options import (
    MethodOption,
    ModelOption,
    SuiteArgument,
    SuiteLimitOption,
    TopicsOption,
)
from trellis.cli.progress import show_progress
from trellis.cli.terminal import echo
from trellis.domain.replies.question import Topics
from trellis.evaluation.suite import read_suite
from trellis.graphs_file import OVERRIDES, read_settings
from trellis.models.finding import is_model_name
from trellis.models.folder import CARD
from trellis.models.folder_list import split_folders
from trellis.settings import Settings

# What takes a second to import is imported where it is used: help is shown at once.
if TYPE_CHECKING:
    from trellis.app.models import ModelSource
    from trellis.app.trellis_app import TrellisApp
    from trellis.batch.actor import OpenAsker
    from trellis.batch.pool import ActorPool
    from trellis.batch.run import BatchRun, BatchSummary, Pool

_WITHOUT_EFFECT = (
    *("worker_url", "trie_cache", "answer_cache", "model_memory", "methods_at_once"),
    *("concurrency", "waiting"),
    *("query_timeout", "worker_timeout", "decoder_timeout", "reasoner_timeout", "question_timeout"),
)
"""Settings that may change from run to run: no answer depends on them, but errors may."""
_AT_ONCE_OF_CLIENTS = 8


def batch(
    file: SuiteArgument,
    out: Annotated[Path, typer.Option(help="Folder of the answers; one begun is continued.")],
    method: MethodOption = None,
    model: ModelOption = None,
    topics: TopicsOption = "linked",
    limit: SuiteLimitOption = None,
    actors: Annotated[int, typer.Option(min=1, help="Processes that answer.")] = 2,
    at_once: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Questions that each asks at once; unset: 1, or 8 of a worker or hosted model.",
        ),
    ] = None,
    address: Annotated[
        str | None, typer.Option(help="HOST:PORT of a Ray cluster; unset: this machine.")
    ] = None,
    shard_rows: Annotated[
        int, typer.Option(min=1, help="Rows after which a file of them is written.")
    ] = 1_000,
    retry: Annotated[
        Retry, typer.Option(help="Errors of an earlier run that are asked again.")
    ] = "passing",
) -> None:
    """Answer all questions of FILE into a folder of Parquet files, which a later run continues."""
    if address and not re.fullmatch(r"[^/]+:\d+", address):
        raise typer.BadParameter("give HOST:PORT", param_hint="--address")
    questions = read_suite(file, limit)
    settings, folders = _make_absolute(read_settings(), model)
    asyncio.run(_reach_graph(settings))  # before the seconds that Ray takes
    load_ray(is_local=address is None)
    from trellis.batch.run import BatchRun  # needs what comes with Ray
    from trellis.cli.models.suites import open_row_asker
    from trellis.methods.registry import AUTO

    manifest = asyncio.run(_describe_run(settings, folders, file, method or AUTO, topics))
    open_asker = partial(
        open_row_asker,
        settings,
        folders,
        method or AUTO,
        topics,
        at_once or _choose_at_once(settings, folders),
        any(not row.claim for row in questions),
    )
    with show_progress() as report:
        run = BatchRun(out, manifest, questions, retry, shard_rows, report, _print_error)
        summary = _finish_run(run, partial(_open_pool, actors, open_asker, address))
    echo(_describe_summary(summary, out), err=True)
    end_process()


async def _reach_graph(settings: Settings) -> None:
    async with open_graph(settings):
        pass


def _finish_run(
    run: BatchRun, open_pool: Callable[[], AbstractContextManager[Pool]]
) -> BatchSummary:
    """Run to the end; whoever ends it before is told what stands."""
    try:
        return run.run(open_pool)
    except (KeyboardInterrupt, SystemExit):
        _print_error(f"stopped; the same command goes on with {run.folder}")
        raise


@contextmanager
def _open_pool(actors: int, open_asker: OpenAsker, address: str | None) -> Iterator[ActorPool]:
    """The pool, which SIGTERM and SIGHUP end too; Ray has handlers of its own, which come first."""
    from trellis.batch.pool import open_pool

    with open_pool(actors, open_asker, address) as pool:
        end_children_on_signals(exit_status=128 + signal.SIGTERM)
        yield pool


def _print_error(line: str) -> None:
    echo(line, err=True)


def _make_absolute(settings: Settings, model: str | None) -> tuple[Settings, str | None]:
    """Settings and folders that mean the same in any process, wherever it runs."""
    changed: dict[str, Any] = {"cache": settings.cache.absolute()}
    if settings.graph_config:
        changed["graph_config"] = settings.graph_config.absolute()
    if settings.model:
        changed["model"] = _join_absolute(settings.model)
    return settings.model_copy(update=changed), _join_absolute(model) if model else None


def _join_absolute(folders: str) -> str:
    paths = split_folders(folders)
    return ",".join(str(it) if is_model_name(str(it)) else str(it.absolute()) for it in paths)


def _choose_at_once(settings: Settings, folders: str | None) -> int:
    """One for a model in the process, which decodes one batch at a time; more for one elsewhere."""
    is_elsewhere = folders is None and (settings.worker_url or settings.decoder_url)
    return _AT_ONCE_OF_CLIENTS if is_elsewhere else 1


async def _describe_run(
    settings: Settings, model: str | None, file: Path, method: str, topics: Topics
) -> BatchManifest:
    """What the answers are asked with; raises where the graph, the method or a model is missing."""
    async with open_app(settings, model) as opened:
        await _check_method(opened, method)
        await opened.check_graph()
        sources = await opened.models.list_fitting()
        models = {source.name: await _fingerprint_model(source) for source in sources}
    async with open_graph(settings) as connection:
        version = await connection.read_version()
    return BatchManifest(
        file=file.name,
        content=hash_file(file),
        method=method,
        topics=topics,
        models=models,
        graph=settings.graph,
        database=version.database if version else "",
        settings=_list_effective_settings(settings),
    )


async def _check_method(opened: TrellisApp, method: str) -> None:
    from trellis.methods.registry import AUTO, find_method

    if method == AUTO:
        await opened.pipelines.list_ready_methods()
        return
    state = await opened.pipelines.describe_method(find_method(opened.methods, method))
    if state.error:
        raise state.error


async def _fingerprint_model(source: ModelSource) -> str:
    """What tells a model from every other one: its card, and the seals of its files."""
    card = source.folder / CARD if source.folder else None
    if card and card.is_file():
        await source.card.get()  # checks the seals
        sealed = await asyncio.to_thread(card.read_bytes)
    else:
        sealed = json.dumps(asdict(await source.card.get()), sort_keys=True).encode()
    return sha256(sealed).hexdigest()


def _list_effective_settings(settings: Settings) -> Mapping[str, Any]:
    names = sorted(OVERRIDES - {*_WITHOUT_EFFECT})
    return settings.model_dump(mode="json", include={*names})


def _describe_summary(summary: BatchSummary, out: Path) -> str:
    passing = f", {summary.passing} of them to be asked again by another run"
    return (
        f"{out}: {summary.rows} rows, {summary.asked} of them asked now; "
        f"{summary.errors} errors{passing if summary.passing else ''}"
    )
