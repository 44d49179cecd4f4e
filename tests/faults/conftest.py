"""A Neo4j with the atlas, a service on it, and the table of what became of each fault."""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from faults.drill import Drill, FaultRow, Running, set_clock, write_markdown
from faults.parts import PostgresPart, ProcessPart
from real_neo4j import skip_without_neo4j
from real_postgres import find_binaries, find_free_port, running_postgres
from real_worker import build_worker_command, skip_without_vllm
from trellis.access.keys import KeyRing
from trellis.cli.graphs.neo4j import build_neo4j_command, build_neo4j_environment
from trellis.settings import BUNDLED_GRAPH, BUNDLED_MODEL
from trellis.store.database import Database
from trellis.store.keys import KeyTable
from trellis.store.migration import migrate_store
from trellis_command import TRELLIS, build_environment

_ROWS: list[FaultRow] = []
_SOAKS: list[Sequence[str]] = []
_SOAK_HEADS = (
    *("minutes", "clients", "answers", "typed errors", "writes", "stale", "MiB", "sockets"),
    "threads",
)


@pytest.fixture(scope="session")
def neo4j(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ProcessPart]:
    folder = tmp_path_factory.mktemp("neo4j")
    skip_without_neo4j(folder)
    command = build_neo4j_command(folder / "data", find_free_port())
    part = ProcessPart(command, build_neo4j_environment(""), folder / "neo4j.log")
    part.start()
    environment = _build_environment(folder, part, "sqlite:///unused.db")
    subprocess.run([TRELLIS, "load", BUNDLED_GRAPH], env=environment, cwd=folder, check=True)
    yield part
    part.end()


@pytest.fixture(scope="session")
def on_sqlite(neo4j: ProcessPart, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    folder = tmp_path_factory.mktemp("sqlite")
    with _serving(folder, neo4j) as running:
        yield running


@pytest.fixture(scope="session")
def remembering(neo4j: ProcessPart, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A service that gives replies again; those of the other drills find each anew."""
    folder = tmp_path_factory.mktemp("remembering")
    with _serving(folder, neo4j, more={"ANSWER_CACHE": "64"}) as running:
        yield running


@pytest.fixture(scope="session")
def on_postgres(neo4j: ProcessPart, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    binaries = find_binaries()
    if binaries is None:
        pytest.skip("PostgreSQL is not installed (Debian's package postgresql)")
    folder = tmp_path_factory.mktemp("postgres")
    with (
        running_postgres(binaries) as server,
        _serving(folder, neo4j, server.create_database("faults")) as running,
    ):
        running.postgres = PostgresPart(server)
        yield running


@pytest.fixture(scope="session")
def on_worker(neo4j: ProcessPart, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A service whose models a decoding worker runs."""
    skip_without_vllm()
    folder = tmp_path_factory.mktemp("worker")
    command = build_worker_command(BUNDLED_MODEL, find_free_port())
    worker = ProcessPart(command, os.environ, folder / "worker.log")
    with _serving_beside(worker, "WORKER_URL", folder, neo4j) as running:
        running.worker = worker
        yield running


@pytest.fixture(scope="session")
def on_redis(neo4j: ProcessPart, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A service whose limits are counted in a Redis."""
    program = shutil.which("redis-server")
    if program is None:
        pytest.skip("Redis is not installed (Debian's package redis-server)")
    folder, port = tmp_path_factory.mktemp("redis"), find_free_port()
    command = [program, "--port", str(port), "--save", "", "--dir", str(folder)]
    address = f"redis://127.0.0.1:{port}"
    redis = ProcessPart(command, {}, folder / "redis.log", address, "Ready to accept connections")
    with _serving_beside(redis, "RATE_LIMIT_URL", folder, neo4j) as running:
        running.redis = redis
        yield running


@pytest.fixture(scope="session")
def on_small_disk(
    neo4j: ProcessPart, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Running]:
    """A service whose store is on a disk of its own, of 8 MB."""
    folder = tmp_path_factory.mktemp("disk")
    disk = folder / "disk"
    disk.mkdir()
    mounting = ["mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", str(disk)]
    if subprocess.run(mounting, capture_output=True, check=False).returncode:
        pytest.skip("no disk may be mounted here")
    try:
        with _serving(folder, neo4j, f"sqlite+aiosqlite:///{disk}/answers.db") as running:
            running.disk = disk
            yield running
    finally:
        subprocess.run(["umount", str(disk)], check=True)


@pytest.fixture(scope="session")
def on_own_clock(neo4j: ProcessPart, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A service whose clock a file sets, by how far it is off."""
    libraries = sorted(Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"))
    if not libraries:
        pytest.skip("libfaketime is not installed (Debian's package faketime)")
    folder = tmp_path_factory.mktemp("clock")
    clock = folder / "clock"
    set_clock(clock, "+0")
    process = {
        "LD_PRELOAD": str(libraries[0]),
        "FAKETIME_TIMESTAMP_FILE": str(clock),
        "FAKETIME_CACHE_DURATION": "1",
        "FAKETIME_DONT_FAKE_MONOTONIC": "1",  # what machines count since their start jumps nowhere
    }
    with _serving(folder, neo4j, process=process) as running:
        running.clock = clock
        yield running


@pytest.fixture
def drill() -> Drill:
    return Drill(int(os.environ.get("FAULT_CLIENTS") or 8), _ROWS)


@pytest.fixture
def soak_rows() -> list[Sequence[str]]:
    return _SOAKS


@contextmanager
def _serving_beside(
    part: ProcessPart, setting: str, folder: Path, neo4j: ProcessPart
) -> Iterator[Running]:
    """A service that uses another part, whose address is a setting of its."""
    part.start()
    try:
        with _serving(folder, neo4j, more={setting: part.address}) as running:
            yield running
    finally:
        part.end()


@contextmanager
def _serving(
    folder: Path,
    neo4j: ProcessPart,
    store_url: str | None = None,
    more: Mapping[str, str] | None = None,
    process: Mapping[str, str] | None = None,
) -> Iterator[Running]:
    """A service that asks for keys, and a key that may ask and judge. `store_url`: unset, an SQLite
    in the folder. `more`: settings of its. `process`: environment variables of its process."""
    store_url = store_url or f"sqlite+aiosqlite:///{folder}/answers.db"
    key = asyncio.run(_create_key(store_url))
    command = [str(TRELLIS), "serve", "--port", str(find_free_port())]
    environment = _build_environment(folder, neo4j, store_url)
    environment |= {f"TRELLIS_{name}": value for name, value in (more or {}).items()}
    environment |= process or {}
    service = ProcessPart(command, environment, folder / "service.log")
    service.start()
    try:
        yield Running(neo4j, service, store_url, key)
    finally:
        service.end()


def _build_environment(folder: Path, neo4j: ProcessPart, store_url: str) -> dict[str, str]:
    settings = {"NEO4J_URI": neo4j.address, "STORE_URL": store_url, "CACHE": folder / "cache"}
    more = {"REQUIRE_KEYS": "true", "CONCURRENCY": 4, "ANSWER_CACHE": 0}
    return build_environment(**settings, **more) | {"OMP_NUM_THREADS": "1"}


async def _create_key(store_url: str) -> str:
    await migrate_store(store_url)
    database = Database.at(store_url)
    token = await KeyRing(KeyTable(database)).create_key("drill", ["ask", "feedback"])
    await database.close()
    return str(token)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """The table, as docs/figures.md has it."""
    table = FaultRow.write_table(_ROWS) if _ROWS else []
    if _SOAKS:
        table += ["", *write_markdown(_SOAK_HEADS, _SOAKS)]
    for line in ("", *table) if table else ():
        terminalreporter.write_line(line)
