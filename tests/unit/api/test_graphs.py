"""Many graphs on one server: each is asked by its name, and keeps what is its own."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from memory_app import HeldModel, MemoryGraph, WordModel, open_client, opener
from trellis.access.guard import Guard
from trellis.api.app import create_app
from trellis.app.trellis_app import TrellisApp
from trellis.automata.paths.adjacency import build_adjacency
from trellis.domain.errors import GraphUnavailableError
from trellis.domain.ports import LanguageModel
from trellis.graph.database.connection import GraphVersion
from trellis.graph.neighbourhoods.trie_cache import TrieKey
from trellis.graph.neighbourhoods.trie_files import TrieFiles
from trellis.settings import Settings
from trellis.wiring.assemble import build_trie_files
from unit.api.asking import ASKED, EVENTS, ask, check_problem

WORLD = (("France", "HAS_CAPITAL", "Paris"), ("Germany", "HAS_CAPITAL", "Berlin"))
NOVEL = (("France", "HAS_CAPITAL", "Versailles"), ("Oz", "HAS_CAPITAL", "Emerald City"))


@asynccontextmanager
async def two_graphs(
    folder: Path,
    world: MemoryGraph,
    novel: MemoryGraph,
    models: Mapping[str, LanguageModel] | None = None,
    **settings: Any,
) -> AsyncIterator[tuple[httpx.AsyncClient, Guard]]:
    """A client of a service of the graphs `world` (the default) and `novel`, on one store."""
    file = folder / "graphs.toml"
    file.write_text('[graphs.world]\nuri = "bolt://w"\n[graphs.novel]\nuri = "bolt://n"\n')
    graphs = {"world": world, "novel": novel}

    @asynccontextmanager
    async def open_app(chosen: Settings) -> AsyncIterator[TrellisApp]:
        model = (models or {}).get(chosen.graph) or WordModel()
        async with opener(graphs[chosen.graph], lambda: model)(chosen) as trellis_app:
            yield trellis_app

    address = f"sqlite+aiosqlite:///{folder}/answers.db"
    chosen = {"store_url": address, "graphs_file": file, **settings}
    app = create_app(Settings(**chosen, _env_file=None), open_app)
    async with open_client(app) as client:
        yield client, app.state.guard


@pytest.fixture
def world() -> MemoryGraph:
    return MemoryGraph(WORLD)


@pytest.fixture
def novel() -> MemoryGraph:
    return MemoryGraph(NOVEL)


@pytest.fixture
async def client(
    tmp_path: Path, world: MemoryGraph, novel: MemoryGraph
) -> AsyncIterator[httpx.AsyncClient]:
    async with two_graphs(tmp_path, world, novel) as (opened, _):
        yield opened


def names_of(body: dict[str, Any]) -> list[str]:
    return [answer["name"] for answer in body["answers"]]


async def test_each_graph_answers_for_itself_though_ids_are_equal(
    client: httpx.AsyncClient, world: MemoryGraph, novel: MemoryGraph
) -> None:
    assert [node.id for node in world.nodes] == [node.id for node in novel.nodes]
    for root, capital in (("/v1", "Paris"), ("/v1/graphs/world", "Paris")):
        assert names_of(await ask(client, root=root)) == [capital]
    for _ in range(2):
        assert names_of(await ask(client, root="/v1/graphs/novel")) == ["Versailles"]
        assert names_of(await ask(client, root="/v1")) == ["Paris"]


async def test_what_one_graph_answered_is_not_found_under_another(
    client: httpx.AsyncClient,
) -> None:
    id = (await ask(client, root="/v1/graphs/novel"))["id"]
    for path in (f"/v1/answers/{id}", f"/v1/graphs/world/answers/{id}", "/v1/answers/latest"):
        missing = await client.get(path)
        assert check_problem(missing, 404, "not-kept")["instance"] == path
        assert "Versailles" not in missing.text
    said = await client.post(f"/v1/answers/{id}/feedback", json={"right": True})
    assert said.status_code == 404
    assert (await client.get("/v1/answers")).json()["answers"] == []
    [kept] = (await client.get("/v1/graphs/novel/answers")).json()["answers"]
    assert kept["id"] == id
    assert (await client.get(f"/v1/graphs/novel/answers/{id}")).json()["id"] == id
    noted = await client.post("/v1/graphs/novel/answers/latest/feedback", json={"right": True})
    assert noted.status_code == 201


async def test_names_values_and_schema_are_those_of_the_graph(client: httpx.AsyncClient) -> None:
    async def linked(root: str) -> str:
        return (await client.post(f"{root}/links", json={"question": "Where is Oz?"})).text

    assert '"Oz"' in await linked("/v1/graphs/novel")
    assert '"Oz"' not in await linked("/v1")
    unknown = await client.post("/v1/questions", json={**ASKED, "topics": ["Emerald City"]})
    assert unknown.status_code == 404
    known = {**ASKED, "topics": ["Emerald City"]}
    assert (await client.post("/v1/graphs/novel/questions", json=known)).status_code == 200
    for path in ("schema", "methods", "answers"):
        mirrored = (await client.get(f"/v1/graphs/world/{path}")).json()
        assert mirrored == (await client.get(f"/v1/{path}")).json()


async def test_events_come_from_the_graph_too(client: httpx.AsyncClient) -> None:
    told = await client.post("/v1/graphs/novel/questions", json=ASKED, headers=EVENTS)
    assert "Versailles" in told.text
    assert "Paris" not in told.text
    unknown = {**ASKED, "topics": ["Paris"]}
    failed = await client.post("/v1/graphs/novel/questions", json=unknown, headers=EVENTS)
    assert '"instance":"/v1/graphs/novel/questions"' in failed.text


@pytest.mark.parametrize("name", ["atlantis", "%00", "..%2Fworld", "World", "%F0%9F%92%A5"])
async def test_a_graph_that_is_not_served_is_told(client: httpx.AsyncClient, name: str) -> None:
    refused = await client.post(f"/v1/graphs/{name}/questions", json=ASKED)
    check_problem(refused, 404)
    for path in ("", "/", "/graphs", "/graphs/world/schema"):
        assert (await client.get(f"/v1/graphs/world{path}")).status_code in (307, 404)


async def test_a_graph_that_is_down_leaves_the_other_alone(
    client: httpx.AsyncClient, novel: MemoryGraph
) -> None:
    novel.fails = GraphUnavailableError("no Neo4j at bolt://n", "start it")
    refused = await client.post("/v1/graphs/novel/questions", json=ASKED)
    assert refused.status_code == 503
    assert names_of(await ask(client, root="/v1")) == ["Paris"]
    ready = await client.get("/readyz")
    assert ready.status_code == 200
    assert [(it["graph"], it["part"]) for it in ready.json()["missing"]] == [("novel", "graph")]
    listed = (await client.get("/v1/graphs")).json()["graphs"]
    assert [(it["name"], it["default"], it["ready"]) for it in listed] == [
        ("world", True, True),
        ("novel", False, False),
    ]
    assert listed[1]["missing"][0]["problem"] == "no Neo4j at bolt://n"


async def test_a_default_graph_that_is_down_leaves_the_other_alone(
    tmp_path: Path, world: MemoryGraph, novel: MemoryGraph
) -> None:
    world.fails = GraphUnavailableError("no Neo4j", "start it")
    async with two_graphs(tmp_path, world, novel) as (client, _):
        assert (await client.post("/v1/questions", json=ASKED)).status_code == 503
        assert names_of(await ask(client, root="/v1/graphs/novel")) == ["Versailles"]
        novel.fails = GraphUnavailableError("no Neo4j", "start it")
        unready = await client.get("/readyz")
        assert unready.status_code == 503
        assert {it["graph"] for it in unready.json()["missing"]} == {"world", "novel"}


async def test_a_graph_whose_turns_are_all_taken_leaves_the_other_its_own(
    tmp_path: Path, world: MemoryGraph, novel: MemoryGraph
) -> None:
    held = HeldModel()
    held.go.set()  # for the warm-up
    models = {"novel": held}
    async with two_graphs(tmp_path, world, novel, models, concurrency=1, waiting=0) as (client, _):
        async with asyncio.timeout(60):
            while (await client.get("/v1/graphs")).json()["graphs"][1]["missing"]:
                pass
        held.go.clear()
        waiting = asyncio.create_task(ask(client, root="/v1/graphs/novel"))
        await held.until(lambda: held.waiting == 1)
        assert (await client.post("/v1/graphs/novel/questions", json=ASKED)).status_code == 429
        assert names_of(await ask(client, root="/v1")) == ["Paris"]
        assert "trellis_running 1.0" in (await client.get("/metrics")).text
        held.go.set()
        assert names_of(await waiting) == ["Versailles"]


async def test_a_key_of_one_graph_opens_no_other(
    tmp_path: Path, world: MemoryGraph, novel: MemoryGraph
) -> None:
    async with two_graphs(tmp_path, world, novel, require_keys=True) as (client, guard):
        token = await guard.keys.create_key("reader", ["ask", "admin"], ["novel"])
        client.headers["Authorization"] = f"Bearer {token}"
        assert names_of(await ask(client, root="/v1/graphs/novel")) == ["Versailles"]
        for path in ("/v1/schema", "/v1/graphs/world/schema", "/v1/graphs/atlantis/schema"):
            refused = check_problem(await client.get(path), 403)
            assert "may not ask" in refused["detail"]
        [listed] = (await client.get("/v1/graphs")).json()["graphs"]
        assert listed["name"] == "novel"
        assert (await client.get("/metrics")).status_code == 200
        await guard.audit.finish_writes()
        rows = await guard.audit.list_rows(10, graph="novel")
        assert [(row.path, row.outcome) for row in rows] == [("/v1/questions", "200")]


async def read_figures(client: httpx.AsyncClient, *graphs: str, guard: Guard) -> str:
    """What `/metrics` shows to an admin key of these graphs, or of all."""
    token = await guard.keys.create_key("operator", ["admin"], graphs)
    response = await client.get("/metrics", headers={"Authorization": f"Bearer {token}"})
    assert response.status_code == 200
    return response.text


@pytest.mark.slow
async def test_an_admin_key_of_one_graph_sees_the_figures_of_that_graph_alone(
    tmp_path: Path, world: MemoryGraph, novel: MemoryGraph
) -> None:
    async with two_graphs(tmp_path, world, novel, require_keys=True) as (client, guard):
        asker = await guard.keys.create_key("asker", ["ask"])
        client.headers["Authorization"] = f"Bearer {asker}"
        for path in ("/v1/graphs/novel", "/v1/graphs/world", "/v1/graphs/world"):
            await ask(client, root=path)
        line = 'trellis_questions_total{method="gcr",outcome="answered"}'
        for graphs, count in ((["novel"], 1), (["world"], 2), (["novel", "world"], 3), ([], 3)):
            figures = await read_figures(client, *graphs, guard=guard)
            assert f"{line} {count}.0" in figures
            assert ("process_resident_memory_bytes" in figures) is (not graphs)
            assert ("trellis_http_requests" in figures) is (not graphs)


async def test_the_description_shows_the_routes_of_a_graph(tmp_path: Path) -> None:
    async with two_graphs(tmp_path, MemoryGraph(WORLD), MemoryGraph(NOVEL)) as (client, _):
        paths = (await client.get("/openapi.json")).json()["paths"]
    asked = paths["/v1/graphs/{graph}/questions"]["post"]
    assert asked["parameters"][0]["name"] == "graph"
    assert "404" in asked["responses"]
    plain = {path for path in paths if path.startswith("/v1/") and "{graph}" not in path}
    assert {path.replace("/graphs/{graph}", "") for path in paths if "{graph}" in path} == {
        *(plain - {"/v1/graphs"})
    }
    ids = [operation["operationId"] for verbs in paths.values() for operation in verbs.values()]
    assert len(ids) == len(set(ids))


def test_a_trie_built_ahead_is_not_read_for_a_copy_of_its_database(tmp_path: Path) -> None:
    def files_of(graph: str) -> TrieFiles:
        return build_trie_files(Settings(cache=tmp_path, graph=graph, _env_file=None))

    key, version = TrieKey(("n0",), 1, 100, False), GraphVersion("one-store-id", ("bookmark:1",))
    trie = build_adjacency([], [], [])
    files_of("world").write_neighbourhood(key, version, trie)
    assert files_of("world").read_neighbourhood(key, version) is not None
    for other in ("novel", "default"):
        assert files_of(other).read_neighbourhood(key, version) is None
