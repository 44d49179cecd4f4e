"""A Neo4j that takes connections and says nothing, as one that is frozen does."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest

from memory_app import MemoryGraph, app_of
from trellis.graph.connection import GraphConnection
from trellis.settings import Settings


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
    app = app_of(tmp_path, graph)
    transport = httpx.ASGITransport(app)
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=transport, base_url="http://trellis") as client,
    ):
        assert (await client.get("/readyz")).status_code == 200
        graph.connection = frozen
        for _ in range(2):
            async with asyncio.timeout(2):
                unready = await client.get("/readyz")
            assert unready.status_code == 503
            assert unready.json()["missing"]
            assert (await client.get("/livez")).status_code == 200
