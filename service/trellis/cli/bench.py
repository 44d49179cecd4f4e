"""`trellis bench`: the benchmark's table, ours beside the reference's figures."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from trellis.evaluation.benchmark.figure import Figure
    from trellis.settings import Settings


class Part(StrEnum):
    """What can be measured by itself."""

    tries = "tries"
    decoding = "decoding"
    procedures = "procedures"


def bench(
    part: Annotated[list[Part] | None, typer.Option(help="Only this; may be repeated.")] = None,
) -> None:
    """Measure the core without a model, decoding with small models, and the procedures.

    Example: trellis bench --part tries
    """
    from rich.console import Console
    from rich.table import Table

    from trellis.settings import Settings

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
    """In an embedded Neo4j of its own, gone afterwards."""
    from trellis.cli.children import started

    with TemporaryDirectory() as folder:
        database = ["neo4j", "--data", f"{folder}/graph", "--bolt-port", "0"]
        with started(database, os.environ, Path(folder)) as child:
            yield from asyncio.run(_asked_at(child.address()))


async def _asked_at(uri: str) -> list[Figure]:
    from trellis.evaluation.benchmark import procedures
    from trellis.graph.connection import GraphConnection
    from trellis.settings import Settings

    async with GraphConnection(Settings(neo4j_uri=uri)) as connection:
        return await procedures.figures(connection)


_FIGURES = {Part.tries: _tries, Part.decoding: _decoding, Part.procedures: _procedures}
