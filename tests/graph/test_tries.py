"""KG-Tries kept in memory: as the graph has them now, whatever was committed meanwhile."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from pathlib import Path

import pytest

from neighbourhoods import same
from real_neo4j import running_neo4j
from trellis.domain.errors import GraphUnavailableError
from trellis.domain.graph import Neighbourhood, NodeId
from trellis.graph.cached_graph import CachedGraph
from trellis.graph.changes import ChangeFeed, GraphStamp
from trellis.graph.connection import GraphConnection, GraphVersion
from trellis.graph.neo4j_graph import Neo4jGraph
from trellis.graph.trie_cache import TrieCache, TrieKey, estimate_size
from trellis.graph.trie_files import TrieFiles
from trellis.settings import Settings
from trellis.wiring import build_graph

OWN = """
CREATE (:Person {name: 'Ada'})-[:KNOWS]->(b:Person {name: 'Bob'}),
       (b)-[:LIVES_IN]->(:City {name: 'Ulm'}),
       (b)-[:KNOWS]->(:Person {name: 'Cleo'})
"""
IDS = "MATCH (n) WHERE n.name IS NOT NULL RETURN n.name AS name, elementId(n) AS id"


@dataclass(frozen=True)
class World:
    """A small graph, read through a cache and beside it."""

    connection: GraphConnection
    cached: CachedGraph
    ids: dict[str, NodeId]

    async def around(self, *names: str, hops: int = 2) -> Neighbourhood:
        return await around(self.cached, [self.ids[name] for name in names], hops)

    async def now(self, *names: str, hops: int = 2) -> Neighbourhood:
        plain, ids = Neo4jGraph(self.connection), sorted(self.ids[name] for name in names)
        return await around(plain, ids, hops)


async def around(graph: Neo4jGraph, anchors: list[NodeId], hops: int = 2) -> Neighbourhood:
    return await graph.neighbourhood(anchors, hops, edge_budget=1_000, names=True)


@pytest.fixture
async def world(clean_graph: GraphConnection, tmp_path: Path) -> World:
    await clean_graph.run_write(OWN)
    rows = await clean_graph.read_rows(IDS)
    cached = CachedGraph(clean_graph, TrieCache(2**20), TrieFiles(tmp_path))
    return World(clean_graph, cached, {row["name"]: row["id"] for row in rows})


async def stamp(connection: GraphConnection) -> GraphStamp:
    return GraphStamp(await version(connection))


async def version(connection: GraphConnection) -> GraphVersion:
    found = await connection.read_version()
    assert found is not None
    return found


@pytest.mark.parametrize(
    "change",
    [
        "CREATE (:Person {name: 'Dan'})",
        "MATCH (n {name: 'Ada'}) SET n.name = 'Eve'",
        "MATCH (n {name: 'Ada'}) SET n:Countess",
        "MATCH ()-[r:LIVES_IN]->() DELETE r",
        "CREATE INDEX of_tries IF NOT EXISTS FOR (n:Person) ON (n.age)",
    ],
)
async def test_the_version_moves_with_every_commit(world: World, change: str) -> None:
    before = await version(world.connection)
    await world.connection.run_command(change)
    try:
        after = await version(world.connection)
        assert (after.database, after == before) == (before.database, False)
    finally:
        await world.connection.run_command("DROP INDEX of_tries IF EXISTS")


async def test_the_version_stays_where_nothing_is_committed(world: World) -> None:
    before = await version(world.connection)
    await world.connection.read_rows("MATCH (n) RETURN n")
    await world.connection.run_write("MATCH (n:Person {name: 'Nobody'}) SET n.age = 3")
    await world.around("Ada")
    assert await version(world.connection) == before


@pytest.mark.slow
async def test_the_version_outlives_a_restart_and_is_another_databases_never(
    tmp_path: Path, connection: GraphConnection
) -> None:
    found = []
    for _ in range(2):
        with running_neo4j(tmp_path) as uri:
            async with GraphConnection(Settings(neo4j_uri=uri, _env_file=None)) as fresh:
                found.append(await version(fresh))
    assert found[0] == found[1]
    assert found[0].database != (await version(connection)).database


async def test_a_second_question_is_served_from_memory(world: World) -> None:
    first = await world.around("Ada", "Cleo")
    again = await world.around("Cleo", "Ada", "Ada")
    assert same(again, first)
    assert same(again, await world.now("Ada", "Cleo"))
    figures = world.cached.collect_figures()
    assert (figures.hits, figures.from_graph, figures.misses) == (1, 1, 1)
    assert (figures.entries, figures.bytes) == (1, estimate_size(first))


async def test_other_anchors_hops_budget_and_names_are_other_tries(world: World) -> None:
    ada = [world.ids["Ada"]]
    await world.around("Ada")
    assert len((await world.around("Ada", hops=1)).nodes) == 2
    assert len((await world.around("Bob")).nodes) == 4
    nameless = await world.cached.neighbourhood(ada, 2, edge_budget=1_000, names=False)
    assert nameless.names == ()
    assert (await world.cached.neighbourhood(ada, 2, edge_budget=1, names=True)).cut
    assert world.cached.collect_figures().hits == 0


@pytest.mark.parametrize(
    "change",
    [
        "MATCH (n {name: 'Cleo'}) CREATE (n)-[:KNOWS]->(:Person {name: 'Dan'})",
        "MATCH (n {name: 'Bob'}), (u {name: 'Ulm'}) CREATE (n)-[:BORN_IN]->(u)",
        "MATCH (n {name: 'Bob'})-[r:KNOWS]->() DELETE r",
        "MATCH (n {name: 'Ulm'}) DETACH DELETE n",
        "MATCH (n {name: 'Bob'}) SET n.name = 'Robert'",
    ],
    ids=["node", "relationship", "cut off", "deleted", "renamed"],
)
async def test_the_next_question_sees_what_was_committed(world: World, change: str) -> None:
    before = [await world.around("Ada", hops=3), await world.around("Cleo", hops=3)]
    await world.connection.run_write(change)
    after = [await world.around("Ada", hops=3), await world.around("Cleo", hops=3)]
    now = [await world.now("Ada", hops=3), await world.now("Cleo", hops=3)]
    assert [same(a, n) for a, n in zip(after, now, strict=True)] == [True, True]
    assert not all(same(a, b) for a, b in zip(after, before, strict=True))
    figures = world.cached.collect_figures()
    assert (figures.invalidated, figures.hits, figures.entries) == (2, 0, 2)


async def test_whatever_is_committed_empties_what_it_may_concern(world: World) -> None:
    await world.around("Ada")
    await world.connection.run_write("MATCH (n {name: 'Cleo'}) SET n:Queen")
    assert same(await world.around("Ada"), await world.now("Ada"))
    assert world.cached.collect_figures().invalidated == 1


async def test_memory_is_bounded_and_the_longest_unasked_goes_first(
    world: World, tmp_path: Path
) -> None:
    sizes = [estimate_size(await world.around(name, hops=1)) for name in ("Ada", "Bob", "Cleo")]
    small = CachedGraph(world.connection, TrieCache(sum(sizes) - 1), TrieFiles(tmp_path))
    for name in ("Ada", "Bob", "Ada", "Cleo", "Ada"):
        await around(small, [world.ids[name]], 1)
    figures = small.collect_figures()
    assert (figures.hits, figures.entries) == (2, 2)
    assert figures.bytes == sizes[0] + sizes[2]
    await around(small, [world.ids["Bob"]], 1)
    assert small.collect_figures().from_graph == 4


async def test_what_is_larger_than_the_memory_is_served_and_not_kept(
    world: World, tmp_path: Path
) -> None:
    tiny = CachedGraph(world.connection, TrieCache(100), TrieFiles(tmp_path))
    for _ in range(2):
        assert same(await around(tiny, [world.ids["Ada"]]), await world.now("Ada"))
    assert (tiny.collect_figures().from_graph, tiny.collect_figures().entries) == (2, 0)


async def test_off_remembers_no_trie(world: World, graph_settings: Settings) -> None:
    ada = [world.ids["Ada"]]
    for size, hits in ((0, 0), (1, 1)):
        settings = graph_settings.model_copy(update={"trie_cache": size})
        graph = build_graph(world.connection, settings)
        for _ in range(2):
            await graph.neighbourhood(ada, 1, edge_budget=1_000, names=True)
        figures = graph.collect_figures()
        assert (figures.hits, figures.entries) == (hits, hits)
        assert figures.from_graph == 2 - hits


async def test_questions_at_once_share_one_call(world: World) -> None:
    found = await asyncio.gather(*(world.around("Ada", "Bob") for _ in range(8)))
    assert all(one is found[0] for one in found)
    figures = world.cached.collect_figures()
    assert (figures.from_graph, figures.hits) == (1, 7)


async def test_one_who_leaves_takes_nothing_from_those_who_wait(world: World) -> None:
    cache, key, loads = TrieCache(2**20), TrieKey(("4:x:1",), 2, 10, True), Loads(world)
    now, feed = await stamp(world.connection), ChangeFeed(world.connection)
    leaving = asyncio.create_task(cache.get(key, now, loads.load, feed))
    await loads.begun.wait()
    staying = asyncio.create_task(cache.get(key, now, loads.load, feed))
    leaving.cancel()
    await asyncio.wait([leaving])
    loads.go.set()
    assert same(await staying, await world.now("Ada"))
    assert (leaving.cancelled(), loads.count) == (True, 1)


async def test_who_asks_after_a_commit_gets_no_read_that_began_before_it(world: World) -> None:
    cache, key, loads = TrieCache(2**20), TrieKey(("4:x:1",), 2, 10, True), Loads(world)
    feed = ChangeFeed(world.connection)
    before = asyncio.create_task(cache.get(key, await stamp(world.connection), loads.load, feed))
    await loads.begun.wait()
    await world.connection.run_write("MATCH (n {name: 'Ada'}) SET n.name = 'Eve'")
    after = asyncio.create_task(cache.get(key, await stamp(world.connection), loads.load, feed))
    loads.go.set()
    await asyncio.gather(before, after)
    assert loads.count == 2


class Loads:
    """Loads that begin at once, and end when they may."""

    def __init__(self, world: World) -> None:
        self.begun, self.go = asyncio.Event(), asyncio.Event()
        self.count = 0
        self._world = world

    async def load(self) -> Neighbourhood:
        self.count += 1
        self.begun.set()
        await self.go.wait()
        return await self._world.now("Ada")


async def test_a_graph_that_is_gone_is_told_to_all_and_not_remembered(tmp_path: Path) -> None:
    nowhere = Settings(neo4j_uri="bolt://127.0.0.1:9", _env_file=None)
    async with GraphConnection(nowhere) as connection:
        cached = CachedGraph(connection, TrieCache(2**20), TrieFiles(tmp_path))
        with pytest.raises(GraphUnavailableError, match=r"127\.0\.0\.1:9"):
            await around(cached, ["4:x:1"])
        assert cached.collect_figures().entries == 0
