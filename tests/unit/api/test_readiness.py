"""When the service says that it is ready: once it is warm, and not while its graph is frozen."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from functools import partial
from pathlib import Path

import httpx
import pytest

from memory_app import LetterEmbedder, MemoryGraph, served
from trellis.app.warming import WarmUp
from trellis.domain.errors import GraphUnavailableError
from trellis.domain.graphs.graph import Node
from trellis.graph.database.connection import GraphConnection
from trellis.settings import Settings
from trellis.steps.retrieve.paths.settings import PathSettings
from trellis.steps.retrieve.paths.warm_paths import warm_paths


def warm(graph: MemoryGraph) -> Callable[[Sequence[Node]], Awaitable[None]]:
    return partial(warm_paths, graph, PathSettings())


async def parts_missing(client: httpx.AsyncClient) -> list[str]:
    response = await client.get("/readyz")
    return [part["part"] for part in response.json().get("missing", [])]


async def test_a_graph_that_comes_late_is_warmed_up_before_the_service_is_ready(
    tmp_path: Path, graph: MemoryGraph
) -> None:
    graph.fails = GraphUnavailableError("no Neo4j", "start it")
    async with served(tmp_path, graph) as client:
        assert await parts_missing(client) == ["graph"]
        graph.fails = None
        assert await parts_missing(client) == ["warm-up"]
        async with asyncio.timeout(30):
            while await parts_missing(client):
                pass
        assert (await client.get("/readyz")).json() == {"ready": True}


@pytest.mark.parametrize("problem", [None, GraphUnavailableError("no Neo4j", "start it")])
async def test_a_graph_that_is_empty_or_fails_ends_no_warm_up(
    problem: GraphUnavailableError | None, caplog: pytest.LogCaptureFixture
) -> None:
    graph = MemoryGraph(())
    graph.fails = problem
    await WarmUp(graph, LetterEmbedder(), {"path": warm(graph)}).run()
    assert bool([r for r in caplog.records if r.levelname == "WARNING"]) == bool(problem)


async def test_a_warm_up_ends_when_its_time_is_up(caplog: pytest.LogCaptureFixture) -> None:
    await WarmUp(MemoryGraph(), LetterEmbedder()).run(seconds=0)
    assert "before it was through" in caplog.text


class FreezingGraph(MemoryGraph):
    """A graph whose check goes to a real connection, once there is one."""

    connection: GraphConnection | None = None

    async def check(self) -> None:
        if self.connection:
            await self.connection.verify_connectivity()


@pytest.fixture
async def frozen() -> AsyncIterator[GraphConnection]:
    """A connection to a socket that accepts and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"bolt://127.0.0.1:{silent.getsockname()[1]}"
        async with GraphConnection(Settings(neo4j_uri=address, _env_file=None)) as connection:
            yield connection


@pytest.mark.slow
async def test_readiness_is_told_though_neo4j_is_frozen(
    tmp_path: Path, frozen: GraphConnection
) -> None:
    graph = FreezingGraph()
    async with served(tmp_path, graph) as client:
        assert (await client.get("/readyz")).status_code == 200
        graph.connection = frozen
        for _ in range(2):
            async with asyncio.timeout(2):
                unready = await client.get("/readyz")
            assert unready.status_code == 503
            assert unready.json()["missing"]
            assert (await client.get("/livez")).status_code == 200
