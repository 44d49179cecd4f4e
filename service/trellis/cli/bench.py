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
    procedures = "procedures"
    linking = "linking"
    cypher = "cypher"


def bench(
    part: Annotated[list[Part] | None, typer.Option(help="Only this; may be repeated.")] = None,
    load: Annotated[
        str | None, typer.Option(help="Ask a service at this loopback address instead.")
    ] = None,
    seconds: Annotated[float, typer.Option(min=1, help="With --load: for how long.")] = 60,
    clients: Annotated[int, typer.Option(min=1, help="With --load: how many at once.")] = 32,
) -> None:
    """Measure the core, decoding, procedures, linking, Cypher; or a running service under load."""
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
    from trellis.engines.folder import read_vocabulary
    from trellis.evaluation.benchmark import tries
    from trellis.settings import BUNDLED_MODEL

    yield from tries.figures(settings.data, read_vocabulary(BUNDLED_MODEL))


def _decoding(settings: Settings) -> Iterator[Figure]:
    from trellis.cli.demo import ATLAS
    from trellis.engines.local import LocalModel
    from trellis.evaluation.benchmark import decoding
    from trellis.settings import BUNDLED_MODEL

    model = LocalModel.load(BUNDLED_MODEL, settings.device, settings.cache)
    yield from decoding.figures(ATLAS, model.weights, model.vocabulary)


def _procedures(_: Settings) -> Iterator[Figure]:
    from trellis.evaluation.benchmark import procedures

    with _neo4j() as uri:
        yield from _asked_at(uri, procedures.figures)


def _linking(settings: Settings) -> Iterator[Figure]:
    """On MetaQA's names where they are there, and on a million made-up ones."""
    from trellis.evaluation.benchmark import linking

    metaqa = settings.data / "metaqa" / "graph.txt.gz"
    if metaqa.is_file():
        with _loaded_neo4j(metaqa) as uri:
            yield from _asked_at(uri, partial(linking.figures, name="MetaQA, 43k names"))
    with _neo4j() as uri:
        yield from _asked_at(uri, linking.made_up)


def _cypher(settings: Settings) -> Iterator[Figure]:
    """Masks; then plans on the bundled graph, and on POLE with its gold where that is there."""
    from trellis.cli.demo import ATLAS
    from trellis.engines.folder import read_vocabulary
    from trellis.evaluation.benchmark import cypher
    from trellis.settings import BUNDLED_MODEL

    vocabulary = read_vocabulary(BUNDLED_MODEL)
    yield from cypher.figures(vocabulary)
    with _loaded_neo4j(ATLAS) as uri:
        yield from _asked_at(uri, partial(cypher.plan_figures, name="atlas", count=1_000))
    pole = settings.data / "pole"
    if pole.is_dir():
        gold = [pole / "train.jsonl.gz", pole / "dev.jsonl.gz"]
        with _loaded_neo4j(pole / "graph") as uri:
            yield from _asked_at(uri, partial(cypher.plan_figures, name="POLE", count=1_000))
            asked = partial(cypher.gold_figures, files=gold, vocabulary=vocabulary)
            yield from _asked_at(uri, asked)


@contextmanager
def _loaded_neo4j(graph: Path) -> Iterator[str]:
    """The address of an embedded Neo4j that holds a graph, without embeddings."""
    from trellis.cli.children import run

    with _neo4j() as uri, TemporaryDirectory() as folder:
        environment = {**os.environ, "TRELLIS_NEO4J_URI": uri}
        run(["load", str(graph.absolute()), "--no-embeddings"], environment, Path(folder))
        yield uri


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
    Part.procedures: _procedures,
    Part.linking: _linking,
    Part.cypher: _cypher,
}
