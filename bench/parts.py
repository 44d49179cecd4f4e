"""The parts that `trellis bench` measures, each with what it needs to run."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Sequence
from contextlib import contextmanager
from enum import StrEnum
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bench.figure import Figure
    from trellis.graph.database.connection import GraphConnection
    from trellis.settings import Settings

_SENTENCES = 900
"""Random sentences that are planned on a graph: half a minute of them."""


_ASKED = Path(__file__).parents[1] / "tests" / "data" / "atlas" / "handwritten.jsonl"
"""Questions about the bundled graph that people wrote."""


class Part(StrEnum):
    """The parts that can be measured by themselves."""

    tries = "tries"
    chains = "chains"
    decoding = "decoding"
    masks = "masks"
    worker = "worker"
    loading = "loading"
    procedures = "procedures"
    kept = "kept"
    gate = "gate"
    linking = "linking"
    travelling = "travelling"
    schema = "schema"
    cypher = "cypher"
    gsd = "gsd"
    batch = "batch"
    loop = "loop"
    steps = "steps"
    described = "described"
    scale = "scale"


def measure_part(part: Part, settings: Settings, edges: Sequence[int]) -> Iterator[Figure]:
    """The figures of one part, one by one; `edges`: sizes of the graphs for patterns."""
    return _measure_gsd(edges) if part is Part.gsd else _MEASUREMENTS[part](settings)


def _measure_tries(settings: Settings) -> Iterator[Figure]:
    from bench.language import tries
    from trellis.models.folder import read_vocabulary
    from trellis.settings import BUNDLED_MODEL

    yield from tries.measure_tries(settings.data, read_vocabulary(BUNDLED_MODEL))


def _measure_chains(_: Settings) -> Iterator[Figure]:
    from bench.language import chains
    from trellis.models.folder import read_vocabulary
    from trellis.settings import BUNDLED_MODEL

    yield from chains.measure_chains(read_vocabulary(BUNDLED_MODEL))


def _measure_decoding(settings: Settings) -> Iterator[Figure]:
    from bench.language import decoding
    from trellis.engines.local import LocalModel
    from trellis.settings import BUNDLED_GRAPH, BUNDLED_MODEL

    model = LocalModel.load(BUNDLED_MODEL, settings.device, settings.cache)
    yield from decoding.measure_decoding(BUNDLED_GRAPH, model.weights, model.vocabulary)


def _measure_masks(_: Settings) -> Iterator[Figure]:
    from tokenizers import Tokenizer

    from bench.language import batches
    from trellis.models.folder import read_vocabulary
    from trellis.settings import BUNDLED_MODEL

    tokenizer = Tokenizer.from_file(str(BUNDLED_MODEL / "tokenizer.json"))
    yield from batches.measure_batches(tokenizer, read_vocabulary(BUNDLED_MODEL).ends)


def _measure_worker(settings: Settings) -> Iterator[Figure]:
    """The figures of a worker that is started for it; `make worker` installs what it needs."""
    from bench.language import workers
    from trellis.cli.operation.children import start_command
    from trellis.engines.local import LocalModel
    from trellis.settings import BUNDLED_GRAPH, BUNDLED_MODEL

    model = LocalModel.load(BUNDLED_MODEL, settings.device, settings.cache)
    command = ["worker", "--model", str(BUNDLED_MODEL), "--port", "0"]
    with TemporaryDirectory() as folder, start_command(command, os.environ, Path(folder)) as child:
        yield from asyncio.run(
            workers.measure_worker(child.wait_for_address(), model, BUNDLED_GRAPH)
        )


def _measure_loading(_: Settings) -> Iterator[Figure]:
    from bench.database import loading

    for made in (loading.MANY_TYPES, loading.FEW_TYPES):
        with _start_neo4j() as uri, TemporaryDirectory() as folder:
            yield from _collect_figures(
                uri, partial(loading.measure_loading, made=made, folder=Path(folder))
            )


def _measure_procedures(_: Settings) -> Iterator[Figure]:
    from bench.database import procedures

    with _start_neo4j() as uri:
        yield from _collect_figures(uri, procedures.measure_procedures)


def _measure_kept(settings: Settings) -> Iterator[Figure]:
    """The figures on MetaQA's graph if its data exists, else on the bundled one."""
    from bench.database import kept_tries
    from trellis.settings import BUNDLED_GRAPH

    metaqa = settings.data / "metaqa" / "graph.txt.gz"
    with start_loaded_neo4j(metaqa if metaqa.is_file() else BUNDLED_GRAPH) as uri:
        yield from _collect_figures(uri, kept_tries.measure_kept_tries)


def _measure_gate(_: Settings) -> Iterator[Figure]:
    from bench.database import gate

    with _start_neo4j() as uri:
        yield from _collect_figures(uri, gate.measure_gate)


def _measure_linking(settings: Settings) -> Iterator[Figure]:
    """The figures on MetaQA's names if its data exists, and on a million made-up names."""
    from bench.database import linking

    metaqa = settings.data / "metaqa" / "graph.txt.gz"
    if metaqa.is_file():
        with start_loaded_neo4j(metaqa) as uri:
            yield from _collect_figures(
                uri, partial(linking.measure_linking, name="MetaQA, 43k names")
            )
    with _start_neo4j() as uri:
        yield from _collect_figures(uri, linking.measure_made_up_names)


def _measure_travelling(_: Settings) -> Iterator[Figure]:
    from bench.language import travelling

    yield from travelling.measure_travelling()


def _measure_schema(settings: Settings) -> Iterator[Figure]:
    """The figures of POLE and its questions' values, and of a graph with a thousand types."""
    from bench.database import schemas, values
    from bench.made.wide_graph import WideGraph

    pole = settings.data / "pole"
    if pole.is_dir():
        with start_loaded_neo4j(pole / "graph") as uri:
            yield from _collect_figures(uri, partial(schemas.measure_schema, name="POLE"))
            yield from _collect_figures(
                uri, partial(values.measure_value_linking, file=pole / "dev.jsonl.gz")
            )
    with _start_neo4j() as uri:
        yield from _collect_figures(
            uri, partial(schemas.measure_wide_graph, size=WideGraph(200_000, 1_000_000))
        )


def _measure_cypher(settings: Settings) -> Iterator[Figure]:
    """Masks; then plans on the bundled graph, and on POLE with its gold queries if it exists."""
    from bench.language import cypher
    from trellis.models.folder import read_vocabulary
    from trellis.settings import BUNDLED_GRAPH, BUNDLED_MODEL

    vocabulary = read_vocabulary(BUNDLED_MODEL)
    yield from cypher.measure_cypher(vocabulary)
    with start_loaded_neo4j(BUNDLED_GRAPH) as uri:
        yield from _collect_figures(
            uri, partial(cypher.measure_plans, name="atlas", count=_SENTENCES)
        )
    pole = settings.data / "pole"
    if pole.is_dir():
        gold = [pole / "train.jsonl.gz", pole / "dev.jsonl.gz"]
        with start_loaded_neo4j(pole / "graph") as uri:
            yield from _collect_figures(
                uri, partial(cypher.measure_plans, name="POLE", count=_SENTENCES)
            )
            measure_gold = partial(cypher.measure_gold, files=gold, vocabulary=vocabulary)
            yield from _collect_figures(uri, measure_gold)


def _measure_gsd(edges: Sequence[int]) -> Iterator[Figure]:
    from bench.database import pattern_search

    for size in edges:
        with _start_neo4j("--page-cache", "1g") as uri:
            measure = partial(pattern_search.measure_patterns, edges=size)
            yield from _collect_figures(uri, measure)


def _measure_batch(settings: Settings) -> Iterator[Figure]:
    """Batches on Ray with the bundled model and graph, beside an evaluation."""
    from bench.batch_speed import measure_batches
    from trellis.settings import BUNDLED_GRAPH

    with start_loaded_neo4j(BUNDLED_GRAPH) as uri:
        yield from measure_batches(
            settings.model_copy(update={"neo4j_uri": uri, "model": None}), BUNDLED_GRAPH
        )


def _measure_loop(settings: Settings) -> Iterator[Figure]:
    """What holds the event loop while the bundled graph is asked, by the models that are shipped or
    set."""
    from bench.loop_stalls import measure_stalls
    from trellis.cli.operation.demo import read_demo_questions

    yield from _ask_bundled_graph(
        settings, partial(measure_stalls, questions=read_demo_questions())
    )


def _measure_steps(settings: Settings) -> Iterator[Figure]:
    """What questions cost that people wrote about the bundled graph, by the models that are shipped
    or set."""
    from bench.step_costs import measure_step_costs
    from trellis.evaluation.suite import read_suite

    questions = [row.question for row in read_suite(_ASKED)]
    yield from _ask_bundled_graph(settings, partial(measure_step_costs, questions=questions))


def _ask_bundled_graph(
    settings: Settings, measure: Callable[[Settings], Coroutine[None, None, list[Figure]]]
) -> Iterator[Figure]:
    """The figures of the bundled graph, loaded into a Neo4j of its own."""
    from trellis.settings import BUNDLED_GRAPH

    with start_loaded_neo4j(BUNDLED_GRAPH, embeds=True) as uri, TemporaryDirectory() as folder:
        yield from asyncio.run(measure(_move_settings(settings, uri, folder)))


def _measure_described(settings: Settings) -> Iterator[Figure]:
    """The figures of questions that describe what is in the library of the running Python, by the
    models that are shipped or set."""
    from bench.described import measure_described, read_library_questions
    from bench.made.library_graph import write_library_graph

    with TemporaryDirectory() as folder:
        write_library_graph(Path(folder, "library"))
        with start_loaded_neo4j(Path(folder, "library"), embeds=True) as uri:
            asked = _move_settings(settings, uri, folder)
            yield from asyncio.run(measure_described(asked, read_library_questions()))


def _move_settings(settings: Settings, uri: str, folder: str) -> Settings:
    """The settings for a graph, with all that is kept in a folder."""
    kept = {"cache": Path(folder), "store_url": f"sqlite+aiosqlite:///{folder}/answers.db"}
    return settings.model_copy(update={"neo4j_uri": uri, **kept})


@contextmanager
def start_loaded_neo4j(graph: Path, *, embeds: bool = False) -> Iterator[str]:
    """Start an embedded Neo4j, load a graph, and give its address; `embeds`: whether its names are
    embedded."""
    from trellis.cli.operation.children import run_command

    with _start_neo4j() as uri, TemporaryDirectory() as folder:
        environment = {**os.environ, "TRELLIS_NEO4J_URI": uri}
        options = [] if embeds else ["--no-embeddings"]
        run_command(["load", str(graph.absolute()), *options], environment, Path(folder))
        yield uri


@contextmanager
def _start_neo4j(*options: str) -> Iterator[str]:
    """Start an empty embedded Neo4j and give its address; it is deleted afterwards."""
    from trellis.cli.operation.children import start_command

    with TemporaryDirectory() as folder:
        database = ["neo4j", "--data", f"{folder}/graph", "--bolt-port", "0", *options]
        with start_command(database, os.environ, Path(folder)) as child:
            yield child.wait_for_address()


def _collect_figures(
    uri: str, measure: Callable[[GraphConnection], Awaitable[list[Figure]]]
) -> list[Figure]:
    from trellis.graph.database.connection import GraphConnection
    from trellis.settings import Settings

    async def collect() -> list[Figure]:
        async with GraphConnection(Settings(neo4j_uri=uri)) as connection:
            return await measure(connection)

    return asyncio.run(collect())


_MEASUREMENTS = {
    Part.tries: _measure_tries,
    Part.chains: _measure_chains,
    Part.decoding: _measure_decoding,
    Part.masks: _measure_masks,
    Part.worker: _measure_worker,
    Part.loading: _measure_loading,
    Part.procedures: _measure_procedures,
    Part.kept: _measure_kept,
    Part.gate: _measure_gate,
    Part.linking: _measure_linking,
    Part.travelling: _measure_travelling,
    Part.schema: _measure_schema,
    Part.cypher: _measure_cypher,
    Part.batch: _measure_batch,
    Part.loop: _measure_loop,
    Part.steps: _measure_steps,
    Part.described: _measure_described,
}
