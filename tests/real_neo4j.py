"""A real Neo4j with our procedures, for tests."""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from trellis.cli.graphs.neo4j import build_neo4j_command, build_neo4j_environment
from trellis.domain.errors import ServiceError
from trellis.domain.ports import NamedEmbedder
from trellis.graph.database.connection import GraphConnection, GraphVersion
from trellis.graph.database.names import LONG_TEXT_INDEX, VECTOR_INDEX
from trellis.graph.database.state import change_state
from trellis.graph.indexes.indexing import index_graph
from trellis.graph.indexes.kind_words import forget_kind_words
from trellis.graph.loading.writing import delete_all
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


class GraphFiller:
    """Fills the tests' database, unless it holds just that: the graph of a test before, which
    nobody has changed since."""

    def __init__(self, connection: GraphConnection) -> None:
        self._connection = connection
        self._content: object = None
        self._version: GraphVersion | None = None

    async def __call__(
        self,
        cypher: str,
        embedder: NamedEmbedder | None = None,
        *,
        is_indexed: bool = True,
        **parameters: Any,
    ) -> GraphConnection:
        """A connection to what the query creates and nothing else, indexed with the embedder."""
        content = (cypher, embedder and embedder.name, is_indexed, parameters)
        if content != self._content or await self._connection.read_version() != self._version:
            await emptied(self._connection)
            await self._connection.run_write(cypher, **parameters)
            if is_indexed:
                await index_graph(self._connection, embedder)
            self._content, self._version = content, await self._connection.read_version()
        return self._connection
