"""Two real Neo4js and one that is down, on one server."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest

from memory_app import listening
from real_neo4j import running_neo4j
from trellis import Client
from trellis.api.app import create_app
from trellis.domain.errors import GraphUnavailableError, NotKeptError
from trellis.graph.connection import GraphConnection
from trellis.graph.indexing import index_graph
from trellis.settings import Settings

pytestmark = pytest.mark.slow


async def fill(connection: GraphConnection, capital: str) -> None:
    """A graph of one fact, whose nodes have the ids that they have in any new graph."""
    await connection.run_write(
        "CREATE (:Country {name: 'France'})-[:HAS_CAPITAL]->(:City {name: $capital})",
        capital=capital,
    )
    await index_graph(connection)


@pytest.fixture
async def url(clean_graph: GraphConnection, tmp_path: Path) -> AsyncIterator[str]:
    await fill(clean_graph, "Paris")
    with running_neo4j(tmp_path / "novel") as novel:
        async with GraphConnection(Settings(neo4j_uri=novel, _env_file=None)) as connection:
            await fill(connection, "Versailles")
        file = tmp_path / "graphs.toml"
        addresses = {"world": clean_graph.uri, "novel": novel, "down": "bolt://127.0.0.1:9"}
        file.write_text("".join(f'[graphs.{it}]\nuri = "{at}"\n' for it, at in addresses.items()))
        settings = Settings(
            graphs_file=file,
            model="untrained",
            cache=tmp_path / "cache",
            store_url=f"sqlite+aiosqlite:///{tmp_path}/answers.db",
            _env_file=None,
        )
        async with listening(create_app(settings)) as address:
            yield address


async def test_each_graph_is_read_by_itself_and_one_that_is_down_is_told(url: str) -> None:
    question = "What is the capital of France?"
    async with (
        Client(url, timeout=600, attempts=1) as world,
        Client(url, timeout=600, attempts=1, graph="novel") as novel,
        Client(url, timeout=600, attempts=1, graph="down") as down,
    ):
        for client, capital in ((world, "Paris"), (novel, "Versailles"), (world, "Paris")):
            found = await client.find_paths(question, topics=["France"])
            assert [path.text for path in found.paths] == [f"France -HAS_CAPITAL-> {capital}"]
            rows = await client.run_query("MATCH (n:City) RETURN n.name AS name")
            assert rows.rows == [[capital]]
            answer = await client.ask(question, method="gcr")
            assert [one.name for one in answer.answers] == [capital]
        with pytest.raises(NotKeptError):
            await novel.answer(answer.id)
        assert (await world.answer(answer.id)).id == answer.id
        with pytest.raises(GraphUnavailableError):
            await down.find_paths(question, topics=["France"])
    async with httpx.AsyncClient(base_url=url, timeout=600) as plain:
        ready = await plain.get("/readyz")
        assert ready.status_code == 200
        assert {it["graph"] for it in ready.json()["missing"]} == {"down"}
        listed = (await plain.get("/v1/graphs")).json()["graphs"]
        assert {it["name"]: it["ready"] for it in listed} == {
            **{"world": True, "novel": True},
            "down": False,
        }
