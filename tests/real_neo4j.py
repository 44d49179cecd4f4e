"""A real Neo4j with our procedures, for tests."""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from trellis.cli.neo4j import build_neo4j_command, build_neo4j_environment
from trellis.domain.errors import ServiceError
from trellis.graph.connection import GraphConnection
from trellis.graph.kind_words import forget_kind_words
from trellis.graph.loading.writing import delete_all
from trellis.graph.names import LONG_TEXT_INDEX, VECTOR_INDEX
from trellis.graph.state import change_state
from trellis.graph.texts.indexing import forget_passages


def skip_without_neo4j(folder: Path) -> None:
    """Skip the test where Neo4j's jar was not built, or no Java is there."""
    try:
        build_neo4j_command(folder, 0)
    except ServiceError as error:
        pytest.skip(str(error))


@contextmanager
def running_neo4j(data: Path, port: int = 0, password: str = "") -> Iterator[str]:
    """An embedded Neo4j with our procedures, ended by SIGTERM; gives its Bolt address."""
    process = subprocess.Popen(
        build_neo4j_command(data, port),
        env=build_neo4j_environment(password),
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout
    try:
        ready = process.stdout.readline()
        assert ready.startswith("ready bolt://"), f"Neo4j said {ready!r}"
        yield ready.split()[1]
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(600)
        process.stdout.close()


async def emptied(connection: GraphConnection) -> GraphConnection:
    """The same connection, its database without nodes and our state; constraints may stay."""
    async for _ in delete_all(connection):
        pass
    await connection.run_write(
        "MATCH (m:_TrellisMeta) WHERE coalesce(m._trellis_id, '') <> 'state' DETACH DELETE m"
    )
    await connection.run_command(f"DROP INDEX {VECTOR_INDEX} IF EXISTS")
    await connection.run_command(f"DROP INDEX {LONG_TEXT_INDEX} IF EXISTS")
    await forget_passages(connection)
    await forget_kind_words(connection)
    await change_state(connection, naming={}, chosen={}, embedder="", indexed=False, loading="")
    await change_state(connection, texts={}, has_passages=False, vectors={})
    return connection
