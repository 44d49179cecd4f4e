"""The parts that `trellis bench` measures, each with what it needs to run."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from trellis.evaluation.benchmark.figure import Figure
    from trellis.graph.connection import GraphConnection
    from trellis.settings import Settings

_SENTENCES = 900
"""Random sentences that are planned on a graph: half a minute of them."""


class Part(StrEnum):
    """The parts that can be measured by themselves."""

    tries = "tries"
    decoding = "decoding"
    masks = "masks"
    worker = "worker"
    loading = "loading"
    procedures = "procedures"
    gate = "gate"
    linking = "linking"
    travelling = "travelling"
    schema = "schema"
    cypher = "cypher"


def measured(part: Part, settings: Settings) -> Iterator[Figure]:
    """The figures of one part, one by one."""
    return _FIGURES[part](settings)


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
    """The figures of a worker that is started for it; `make worker` installs what it needs."""
    from trellis.cli.children import started
    from trellis.cli.demo import ATLAS
    from trellis.engines.local import LocalModel
    from trellis.evaluation.benchmark import workers
    from trellis.settings import BUNDLED_MODEL

    model = LocalModel.load(BUNDLED_MODEL, settings.device, settings.cache)
    command = ["worker", "--model", str(BUNDLED_MODEL), "--port", "0"]
    with TemporaryDirectory() as folder, started(command, os.environ, Path(folder)) as child:
        yield from asyncio.run(workers.figures(child.address(), model, ATLAS))


def _loading(_: Settings) -> Iterator[Figure]:
    from trellis.evaluation.benchmark import loading

    for made in (loading.MANY_TYPES, loading.FEW_TYPES):
        with _neo4j() as uri, TemporaryDirectory() as folder:
            yield from _asked_at(uri, partial(loading.figures, made=made, folder=Path(folder)))


def _procedures(_: Settings) -> Iterator[Figure]:
    from trellis.evaluation.benchmark import procedures

    with _neo4j() as uri:
        yield from _asked_at(uri, procedures.figures)


def _gate(_: Settings) -> Iterator[Figure]:
    from trellis.evaluation.benchmark import gate

    with _neo4j() as uri:
        yield from _asked_at(uri, gate.figures)


def _linking(settings: Settings) -> Iterator[Figure]:
    """The figures on MetaQA's names if its data exists, and on a million made-up names."""
    from trellis.evaluation.benchmark import linking

    metaqa = settings.data / "metaqa" / "graph.txt.gz"
    if metaqa.is_file():
        with _loaded_neo4j(metaqa) as uri:
            yield from _asked_at(uri, partial(linking.figures, name="MetaQA, 43k names"))
    with _neo4j() as uri:
        yield from _asked_at(uri, linking.made_up)


def _travelling(_: Settings) -> Iterator[Figure]:
    from trellis.evaluation.benchmark import travelling

    yield from travelling.figures()


def _schema(settings: Settings) -> Iterator[Figure]:
    """The figures of POLE and its questions' values, and of a graph with a thousand types."""
    from trellis.evaluation.benchmark import schemas, values
    from trellis.evaluation.benchmark.wide_graph import WideGraph

    pole = settings.data / "pole"
    if pole.is_dir():
        with _loaded_neo4j(pole / "graph") as uri:
            yield from _asked_at(uri, partial(schemas.figures, name="POLE"))
            yield from _asked_at(uri, partial(values.figures, file=pole / "dev.jsonl.gz"))
    with _neo4j() as uri:
        yield from _asked_at(uri, partial(schemas.made_up, size=WideGraph(200_000, 1_000_000)))


def _cypher(settings: Settings) -> Iterator[Figure]:
    """Masks; then plans on the bundled graph, and on POLE with its gold queries if it exists."""
    from trellis.cli.demo import ATLAS
    from trellis.evaluation.benchmark import cypher
    from trellis.models.folder import read_vocabulary
    from trellis.settings import BUNDLED_MODEL

    vocabulary = read_vocabulary(BUNDLED_MODEL)
    yield from cypher.figures(vocabulary)
    with _loaded_neo4j(ATLAS) as uri:
        yield from _asked_at(uri, partial(cypher.plan_figures, name="atlas", count=_SENTENCES))
    pole = settings.data / "pole"
    if pole.is_dir():
        gold = [pole / "train.jsonl.gz", pole / "dev.jsonl.gz"]
        with _loaded_neo4j(pole / "graph") as uri:
            yield from _asked_at(uri, partial(cypher.plan_figures, name="POLE", count=_SENTENCES))
            asked = partial(cypher.gold_figures, files=gold, vocabulary=vocabulary)
            yield from _asked_at(uri, asked)


@contextmanager
def _loaded_neo4j(graph: Path) -> Iterator[str]:
    """Start an embedded Neo4j, load a graph without embeddings, and give its address."""
    from trellis.cli.children import run

    with _neo4j() as uri, TemporaryDirectory() as folder:
        environment = {**os.environ, "TRELLIS_NEO4J_URI": uri}
        run(["load", str(graph.absolute()), "--no-embeddings"], environment, Path(folder))
        yield uri


@contextmanager
def _neo4j() -> Iterator[str]:
    """Start an empty embedded Neo4j and give its address; it is deleted afterwards."""
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


_FIGURES = {
    Part.tries: _tries,
    Part.decoding: _decoding,
    Part.masks: _masks,
    Part.worker: _worker,
    Part.loading: _loading,
    Part.procedures: _procedures,
    Part.gate: _gate,
    Part.linking: _linking,
    Part.travelling: _travelling,
    Part.schema: _schema,
    Part.cypher: _cypher,
}
