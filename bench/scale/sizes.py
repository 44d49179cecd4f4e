"""The part `scale` of the benchmarks: a made graph from its files to an answer, size by size."""

from __future__ import annotations

import asyncio
import os
import resource
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.figure import Figure
from bench.made.graph_files import MadeGraph
from bench.scale.costs import Values, draw_names, measure_parts
from bench.scale.report import ScaleReport, format_value
from trellis.cli.operation.children import ChildProcess, run_command, start_command
from trellis.settings import Settings

_QUESTIONS = ("Where does {} live?", "Where was {} born?", "What did {} write?")
_NAMES = 5  # each is asked about by every question
_GIB = 2**30
_MOST_PAGES = 5  # GiB


def measure_scale(sizes: Sequence[int], keep: Path | None) -> Iterator[Figure]:
    """The figures of graphs of these many nodes, as they come; with `keep`, the report there has
    them too, also where a later part of a size breaks off."""
    for nodes in sorted(sizes):
        with TemporaryDirectory(prefix="trellis-scale-") as folder:
            values: Values = {}
            for part in _measure_size(nodes, Path(folder)):
                values |= part
                if keep is not None:
                    ScaleReport.read(keep).add(nodes, values).write(keep)
                for name, value in part.items():
                    yield Figure(f"{nodes:,} nodes: {name}", format_value(name, value))


def _measure_size(nodes: int, folder: Path) -> Iterator[Values]:
    files, data = folder / "files", folder / "data"
    MadeGraph(nodes).write_files(files)
    size = sum(file.stat().st_size for file in files.iterdir())
    with _measure_child("import") as spent:
        run_command(["load", str(files), "--data", str(data)], os.environ, folder)
    store = _measure_folder(data) / _GIB
    yield {"graph files GiB": size / _GIB, **spent, "store GiB": store}
    pages = min(_MOST_PAGES, 1 + round(2 * store))
    database = ["neo4j", "--data", str(data), "--bolt-port", "0", "--page-cache", f"{pages}g"]
    with start_command(database, os.environ, folder) as server:
        uri = server.wait_for_address()
        environment = {
            **os.environ,
            "TRELLIS_NEO4J_URI": uri,
            "TRELLIS_STORE_URL": f"sqlite+aiosqlite:///{folder}/store.db",
        }
        before = _read_processor_seconds(server)
        with _measure_child("index") as spent:
            run_command(["index", "--no-embeddings"], environment, folder)
        spent["index, processor seconds"] += _read_processor_seconds(server) - before
        yield {**spent, "store with indexes GiB": _measure_folder(data) / _GIB}
        yield asyncio.run(_measure_graph(uri))
        yield _measure_questions(environment, folder, asyncio.run(_draw_people(uri)))
        yield {"memory of Neo4j GiB": _read_memory(server) / _GIB}


@contextmanager
def _measure_child(name: str) -> Iterator[Values]:
    """Seconds of a command, and processor seconds of it and of its own children."""
    began, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    spent: Values = {}
    yield spent
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent[f"{name}, seconds"] = time.perf_counter() - began
    spent[f"{name}, processor seconds"] = (
        used.ru_utime + used.ru_stime - before.ru_utime - before.ru_stime
    )


async def _measure_graph(uri: str) -> Values:
    from trellis.graph.database.connection import GraphConnection

    async with GraphConnection(Settings(neo4j_uri=uri)) as connection:
        return await measure_parts(connection)


async def _draw_people(uri: str) -> list[str]:
    from trellis.graph.database.connection import GraphConnection

    async with GraphConnection(Settings(neo4j_uri=uri)) as connection:
        return await draw_names(connection, "Person", _NAMES)


def _measure_questions(environment: dict[str, str], folder: Path, people: list[str]) -> Values:
    """Seconds of questions that a service with the reader answers, and its memory."""
    command = ["serve", "--model", "reader", "--port", "0"]
    with start_command(command, environment, folder) as service:
        url = service.wait_for_address()
        taken = sorted(asyncio.run(_ask_questions(url, people)))
        return {
            "question, p50 ms": 1000 * taken[len(taken) // 2],
            "question, worst ms": 1000 * taken[-1],
            "memory of the service GiB": _read_memory(service) / _GIB,
        }


async def _ask_questions(url: str, people: Sequence[str]) -> list[float]:
    from trellis.client import Client

    taken = []
    async with Client(url) as client:
        await client.ask(_QUESTIONS[0].format(people[0]))  # loads what is loaded once
        for person in people:
            for question in _QUESTIONS:
                began = time.perf_counter()
                await client.ask(question.format(person))
                taken.append(time.perf_counter() - began)
    return taken


def _measure_folder(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())


def _read_memory(child: ChildProcess) -> int:
    """The most memory that a process had, in bytes; 0 where the system does not say."""
    status = Path("/proc", str(child.process.pid), "status")
    for line in status.read_text().splitlines() if status.is_file() else ():
        if line.startswith("VmHWM:"):
            return 1024 * int(line.split()[1])
    return 0


def _read_processor_seconds(child: ChildProcess) -> float:
    stat = Path("/proc", str(child.process.pid), "stat")
    if not stat.is_file():
        return 0.0
    fields = stat.read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
