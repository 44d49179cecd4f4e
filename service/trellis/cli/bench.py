"""`trellis bench`: the benchmark's table, ours beside the reference's figures."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from trellis.evaluation.benchmark.figure import Figure
    from trellis.graph.connection import GraphConnection
    from trellis.settings import Settings


class Part(StrEnum):
    """What can be measured by itself."""

    tries = "tries"
    decoding = "decoding"
    masks = "masks"
    worker = "worker"
    procedures = "procedures"
    gate = "gate"
    linking = "linking"
    travelling = "travelling"
    schema = "schema"


def bench(
    part: Annotated[list[Part] | None, typer.Option(help="Only this; may be repeated.")] = None,
    load: Annotated[
        str | None, typer.Option(help="Ask a service at this loopback address instead.")
    ] = None,
    seconds: Annotated[float, typer.Option(min=1, help="With --load: for how long.")] = 60,
    clients: Annotated[int, typer.Option(min=1, help="With --load: how many at once.")] = 32,
) -> None:
    """Measure the core, decoding, masks, the worker, procedures, the gate, linking, the schema, Cypher
    and travelling languages; or a running service under load."""
    from rich.console import Console
    from rich.table import Table

    from trellis.settings import Settings

    if load is not None:
        _loaded(load, seconds, clients)
        return
    settings = Settings()
    table = Table("what", "ours", "reference, 2 cores", "ratio")
    with Console(stderr=True).status("measuring"):
        for chosen in part or list(Part):
            for figure in _FIGURES[chosen](settings):
                table.add_row(figure.what, figure.ours, figure.reference, figure.ratio)
    Console().print(table)
    if not settings.data.is_dir():
        typer.echo(f"no benchmark data at {settings.data}: synthetic graphs only", err=True)


def _tries(settings: Settings) -> Iterator[Figure]:
    from trellis.evaluation.benchmark import tries
    from trellis.models.folder import read_vocabulary
    from trellis.settings import BUNDLED_MODEL

    yield from tries.figures(settings.data, read_vocabulary(BUNDLED_MODEL))


def _decoding(settings: Settings) -> Iterator[Figure]:
    from trellis.cli.demo import ATLAS
    from trellis.engines.local import LocalModel
    from trellis.evaluation.benchmark import decoding
    from trellis.settings import BUNDLED_MODEL

    model = LocalModel.load(BUNDLED_MODEL, settings.device, settings.cache)
    yield from decoding.figures(ATLAS, model.weights, model.vocabulary)


def _masks(_: Settings) -> Iterator[Figure]:
    from tokenizers import Tokenizer

    from trellis.evaluation.benchmark import batches
    from trellis.models.folder import read_vocabulary
    from trellis.settings import BUNDLED_MODEL

    tokenizer = Tokenizer.from_file(str(BUNDLED_MODEL / "tokenizer.json"))
    yield from batches.figures(tokenizer, read_vocabulary(BUNDLED_MODEL).ends)


def _worker(settings: Settings) -> Iterator[Figure]:
    """With a worker of our own, which `make worker` makes ready."""
    from trellis.cli.children import started
    from trellis.cli.demo import ATLAS
    from trellis.engines.local import LocalModel
    from trellis.evaluation.benchmark import workers
    from trellis.settings import BUNDLED_MODEL

    model = LocalModel.load(BUNDLED_MODEL, settings.device, settings.cache)
    command = ["worker", "--model", str(BUNDLED_MODEL), "--port", "0"]
    with TemporaryDirectory() as folder, started(command, os.environ, Path(folder)) as child:
        yield from asyncio.run(workers.figures(child.address(), model, ATLAS))


def _procedures(_: Settings) -> Iterator[Figure]:
    from trellis.evaluation.benchmark import procedures

    with _neo4j() as uri:
        yield from _asked_at(uri, procedures.figures)


def _gate(_: Settings) -> Iterator[Figure]:
    from trellis.evaluation.benchmark import gate

    with _neo4j() as uri:
        yield from _asked_at(uri, gate.figures)


def _linking(settings: Settings) -> Iterator[Figure]:
    """On MetaQA's names where they are there, and on a million made-up ones."""
    from trellis.cli.children import run
    from trellis.evaluation.benchmark import linking

    metaqa = settings.data / "metaqa" / "graph.txt.gz"
    if metaqa.is_file():
        with _neo4j() as uri, TemporaryDirectory() as folder:
            environment = {**os.environ, "TRELLIS_NEO4J_URI": uri}
            run(["load", str(metaqa.absolute()), "--no-embeddings"], environment, Path(folder))
            yield from _asked_at(uri, partial(linking.figures, name="MetaQA, 43k names"))
    with _neo4j() as uri:
        yield from _asked_at(uri, linking.made_up)


def _travelling(_: Settings) -> Iterator[Figure]:
    from trellis.evaluation.benchmark import travelling

    yield from travelling.figures()


def _schema(settings: Settings) -> Iterator[Figure]:
    """Of POLE with its questions' values, and of a graph of a thousand relationship types."""
    from trellis.cli.children import run
    from trellis.evaluation.benchmark import schemas, values

    pole = settings.data / "pole"
    if pole.is_dir():
        with _neo4j() as uri, TemporaryDirectory() as folder:
            environment = {**os.environ, "TRELLIS_NEO4J_URI": uri}
            load = ["load", str((pole / "graph").absolute()), "--no-embeddings"]
            run(load, environment, Path(folder))
            yield from _asked_at(uri, partial(schemas.figures, name="POLE"))
            yield from _asked_at(uri, partial(values.figures, file=pole / "dev.jsonl.gz"))
    with _neo4j() as uri:
        yield from _asked_at(uri, schemas.made_up)


@contextmanager
def _neo4j() -> Iterator[str]:
    """The address of an embedded Neo4j of its own, gone afterwards."""
    from trellis.cli.children import started

    with TemporaryDirectory() as folder:
        database = ["neo4j", "--data", f"{folder}/graph", "--bolt-port", "0"]
        with started(database, os.environ, Path(folder)) as child:
            yield child.address()


def _asked_at(
    uri: str, figures: Callable[[GraphConnection], Awaitable[list[Figure]]]
) -> list[Figure]:
    from trellis.graph.connection import GraphConnection
    from trellis.settings import Settings

    async def asked() -> list[Figure]:
        async with GraphConnection(Settings(neo4j_uri=uri)) as connection:
            return await figures(connection)

    return asyncio.run(asked())


def _loaded(url: str, seconds: float, clients: int) -> None:
    """Ask the demo's questions of a service, and say how it bore that."""
    from trellis.cli.demo import questions
    from trellis.evaluation.load import load

    figures = asyncio.run(load(url, seconds, clients, questions())).figures()
    for name, value in figures.items():
        typer.echo(f"{name:16} {value}")


_FIGURES = {
    Part.tries: _tries,
    Part.decoding: _decoding,
    Part.masks: _masks,
    Part.worker: _worker,
    Part.procedures: _procedures,
    Part.gate: _gate,
    Part.linking: _linking,
    Part.travelling: _travelling,
    Part.schema: _schema,
}
