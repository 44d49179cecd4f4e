"""KG-Tries kept in memory: as the graph has them now, whatever was committed meanwhile; what a
commit does not touch stays."""

from __future__ import annotations

import asyncio
import random
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pytest

from neighbourhoods import same
from real_neo4j import GraphFiller, running_neo4j
from trellis.domain.errors import GraphUnavailableError
from trellis.domain.graphs.graph import Neighbourhood, NodeId
from trellis.domain.graphs.graph_config import GraphConfig
from trellis.graph.cached_graph import CachedGraph
from trellis.graph.database.changes import ChangeFeed, GraphStamp
from trellis.graph.database.connection import GraphConnection, GraphVersion
from trellis.graph.neighbourhoods.trie_cache import TrieCache, TrieKey, estimate_size
from trellis.graph.neighbourhoods.trie_files import TrieFiles
from trellis.graph.neo4j_graph import Neo4jGraph
from trellis.settings import Settings
from trellis.wiring.assemble import build_graph

TOWN = """
CREATE (b:Person {name: 'Bob'})-[:KNOWS]->(:Person {name: 'Cleo'}),
       (:Person {name: 'Ada'})-[:KNOWS]->(b), (b)-[:LIVES_IN]->(:City {name: 'Ulm', size: 1}),
       (:Person {name: 'Dan'})-[:KNOWS]->(:Person {name: 'Eve'}),
       (b)-[:LIKES]->(:Secret {name: 'Gin'})
"""
IDS = "MATCH (n) WHERE n.name IS NOT NULL RETURN n.name AS name, elementId(n) AS id"
CONFIG = GraphConfig(hidden_labels=("Secret",))


@dataclass(frozen=True)
class Town:
    """A small graph, read through a cache and beside it; nodes labelled Secret are hidden."""

    connection: GraphConnection
    cached: CachedGraph
    plain: Neo4jGraph
    ids: dict[str, NodeId]

    async def around(self, *names: str, hops: int = 2) -> Neighbourhood:
        return await around(self.cached, [self.ids[name] for name in names], hops)

    async def now(self, *names: str, hops: int = 2) -> Neighbourhood:
        return await around(self.plain, sorted(self.ids[name] for name in names), hops)

    async def is_right(self, name: str, hops: int = 2) -> bool:
        """Whether the cache gives what the graph holds."""
        return same(await self.around(name, hops=hops), await self.now(name, hops=hops))

    def open_cache(self, size: int, folder: Path) -> CachedGraph:
        """Another cache, of so many bytes."""
        return CachedGraph(self.connection, TrieCache(size), TrieFiles(folder), CONFIG)


async def around(graph: Neo4jGraph, anchors: list[NodeId], hops: int = 2) -> Neighbourhood:
    return await graph.neighbourhood(anchors, hops, edge_budget=1_000, names=True)


@pytest.fixture
async def town(fill: GraphFiller, tmp_path: Path) -> Town:
    connection = await fill(TOWN, is_indexed=False)
    ids = {row["name"]: row["id"] for row in await connection.read_rows(IDS)}
    cached = CachedGraph(connection, TrieCache(2**22), TrieFiles(tmp_path), CONFIG)
    return Town(connection, cached, Neo4jGraph(connection, CONFIG), ids)


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
async def test_the_version_moves_with_every_commit(town: Town, change: str) -> None:
    before = await version(town.connection)
    await town.connection.run_command(change)
    try:
        after = await version(town.connection)
        assert (after.database, after == before) == (before.database, False)
    finally:
        await town.connection.run_command("DROP INDEX of_tries IF EXISTS")


async def test_the_version_stays_where_nothing_is_committed(town: Town) -> None:
    before = await version(town.connection)
    await town.connection.read_rows("MATCH (n) RETURN n")
    await town.connection.run_write("MATCH (n:Person {name: 'Nobody'}) SET n.age = 3")
    await town.around("Ada")
    assert await version(town.connection) == before


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


async def test_a_second_question_is_served_from_memory(town: Town) -> None:
    first = await town.around("Ada", "Cleo")
    again = await town.around("Cleo", "Ada", "Ada")
    assert same(again, first)
    assert same(again, await town.now("Ada", "Cleo"))
    figures = town.cached.collect_figures()
    assert (figures.hits, figures.from_graph, figures.misses) == (1, 1, 1)
    assert (figures.entries, figures.bytes) == (1, estimate_size(first))


async def test_other_anchors_hops_budget_and_names_are_other_tries(town: Town) -> None:
    ada = [town.ids["Ada"]]
    await town.around("Ada")
    assert len((await town.around("Ada", hops=1)).nodes) == 2
    assert len((await town.around("Bob")).nodes) == 4
    nameless = await town.cached.neighbourhood(ada, 2, edge_budget=1_000, names=False)
    assert nameless.names == ()
    assert (await town.cached.neighbourhood(ada, 2, edge_budget=1, names=True)).cut
    assert town.cached.collect_figures().hits == 0


@pytest.mark.parametrize(
    "change",
    [
        "CREATE (:Person {name: 'Fay'})-[:KNOWS]->(:Person {name: 'Guy'})",
        "MATCH (d {name: 'Dan'})-[r]->() DELETE r",
        "MATCH (c {name: 'Cleo'}), (e {name: 'Eve'}) CREATE (c)-[:KNOWS]->(e)",
        "MATCH (n {name: 'Ada'}) SET n.size = 7",
        "MATCH (:Person {name: 'Ada'})-[r]->() SET r.size = 7",
        "MATCH (n {name: 'Dan'}) SET n:City, n.name = 'Don'",
        "MATCH (n {name: 'Dan'}) DETACH DELETE n",
    ],
)
async def test_what_a_commit_does_not_touch_is_kept(town: Town, change: str) -> None:
    assert await town.is_right("Ada")
    await town.connection.run_write(change)
    assert await town.is_right("Ada")
    figures = town.cached.collect_figures()
    assert (figures.invalidated, figures.hits) == (0, 1)


@pytest.mark.parametrize(
    "change",
    [
        "MATCH (a {name: 'Ada'}), (e {name: 'Eve'}) CREATE (e)-[:KNOWS]->(a)",
        "MATCH (b {name: 'Bob'}) CREATE (b)-[:KNOWS]->(:Person {name: 'Fay'})",
        "MATCH (b {name: 'Bob'}), (u {name: 'Ulm'}) CREATE (b)-[:BORN_IN]->(u)",
        "MATCH (:Person {name: 'Ada'})-[r]->() DELETE r",
        "MATCH (n {name: 'Cleo'}) SET n.name = 'Cloe'",
        "MATCH (n {name: 'Cleo'}) SET n:Queen",
        "MATCH (n {name: 'Cleo'}) SET n:Secret",
        "MATCH (n {name: 'Gin'}) REMOVE n:Secret",
        "MATCH (n {name: 'Cleo'}) DETACH DELETE n",
    ],
)
async def test_the_next_question_sees_what_a_commit_touches(town: Town, change: str) -> None:
    assert await town.is_right("Ada")
    await town.connection.run_write(change)
    assert await town.is_right("Ada")
    figures = town.cached.collect_figures()
    assert (figures.invalidated, figures.hits, figures.entries) == (1, 0, 1)


async def test_what_may_be_old_by_consent_is_served_unasked_and_says_so(
    town: Town, tmp_path: Path
) -> None:
    cache, ada = TrieCache(2**22), [town.ids["Ada"]]
    aged = CachedGraph(town.connection, cache, TrieFiles(tmp_path), CONFIG, trie_age=3_600)
    before = await around(aged, ada)
    await town.connection.run_write("MATCH (n {name: 'Cleo'}) SET n.name = 'Cloe'")
    assert await around(aged, ada) is before
    assert any("3600 seconds old" in note for note in await aged.list_notes())
    key = TrieKey.of(ada, 2, edge_budget=1_000, names=True)
    assert cache.find_recent(key, time.monotonic()) is None
    assert not await town.cached.list_notes()


RANDOM_CHANGES = [
    "MATCH (a {number: $a}), (b {number: $b}) CREATE (a)-[:NEAR]->(b)",
    "MATCH (a {number: $a})-[r]->() WITH r LIMIT 1 DELETE r",
    "MATCH (a {number: $a}) SET a.name = 'dot ' + $b",
    "MATCH (a {number: $a}) SET a.size = $b",
    "MATCH (a {number: $a}) SET a:Secret",
    "MATCH (a {number: $a}) REMOVE a:Secret",
    "MATCH (a {number: $a}) DETACH DELETE a CREATE (:Dot {number: $a, name: 'new'})",
    "MATCH (a {number: $a}), (b {number: $b}) CREATE (a)-[:NEAR]->(:Dot)-[:NEAR]->(b)",
]


@pytest.mark.parametrize("seed", range(6))
async def test_after_any_commits_the_cache_gives_what_the_graph_holds(
    town: Town, seed: int
) -> None:
    draw = random.Random(seed)
    await town.connection.run_write(
        "UNWIND range(0, 29) AS i CREATE (:Dot {number: i, name: 'dot ' + i})"
    )
    rows = await town.connection.read_rows("MATCH (d:Dot) RETURN elementId(d) AS id")
    dots = [row["id"] for row in rows]
    for _ in range(60):
        change = draw.choice(RANDOM_CHANGES)
        await town.connection.run_write(change, a=draw.randrange(30), b=draw.randrange(30))
        for _ in range(3):
            anchors, hops = draw.sample(dots, 1), draw.randrange(3)
            found = await town.cached.neighbourhood(anchors, hops, edge_budget=40, names=True)
            now = await town.plain.neighbourhood(anchors, hops, edge_budget=40, names=True)
            assert same(found, now), (change, anchors, hops)
    assert town.cached.collect_figures().hits


async def test_no_question_misses_what_was_acknowledged_before_it(town: Town) -> None:
    """Eight writers and eight askers at once; the graph only grows, so its size tells its age."""
    await town.connection.run_write("UNWIND range(0, 9) AS i CREATE (:Hub {name: 'hub ' + i})")
    rows = await town.connection.read_rows("MATCH (h:Hub) RETURN elementId(h) AS id")
    hubs = [row["id"] for row in rows]
    begun, acknowledged = Counter[NodeId](), Counter[NodeId]()

    async def write(draw: random.Random) -> None:
        for _ in range(40):
            hub = draw.choice(hubs[:5])
            begun[hub] += 1
            await town.connection.run_write(
                "MATCH (h) WHERE elementId(h) = $hub CREATE (h)-[:HAS]->(:Leaf)", hub=hub
            )
            acknowledged[hub] += 1

    async def ask(draw: random.Random) -> None:
        for _ in range(80):
            hub = draw.choice(hubs)
            least = acknowledged[hub]
            found = await town.cached.neighbourhood([hub], 1, edge_budget=999, names=True)
            assert least <= len(found.targets) <= begun[hub]

    workers = [work(random.Random(seed)) for seed in range(8) for work in (write, ask)]
    await asyncio.gather(*workers)
    assert town.cached.collect_figures().hits


async def test_memory_is_bounded_and_the_longest_unasked_goes_first(
    town: Town, tmp_path: Path
) -> None:
    sizes = [estimate_size(await town.around(name, hops=1)) for name in ("Ada", "Bob", "Cleo")]
    small = town.open_cache(sum(sizes) - 1, tmp_path)
    for name in ("Ada", "Bob", "Ada", "Cleo", "Ada"):
        await around(small, [town.ids[name]], 1)
    figures = small.collect_figures()
    assert (figures.hits, figures.entries) == (2, 2)
    assert figures.bytes == sizes[0] + sizes[2]
    await around(small, [town.ids["Bob"]], 1)
    assert small.collect_figures().from_graph == 4


async def test_what_is_larger_than_the_memory_is_served_and_not_kept(
    town: Town, tmp_path: Path
) -> None:
    tiny = town.open_cache(100, tmp_path)
    for _ in range(2):
        assert same(await around(tiny, [town.ids["Ada"]]), await town.now("Ada"))
    assert (tiny.collect_figures().from_graph, tiny.collect_figures().entries) == (2, 0)


async def test_off_remembers_no_trie(town: Town, graph_settings: Settings) -> None:
    ada = [town.ids["Ada"]]
    for size, hits in ((0, 0), (1, 1)):
        settings = graph_settings.model_copy(update={"trie_cache": size})
        graph = build_graph(town.connection, settings)
        for _ in range(2):
            await graph.neighbourhood(ada, 1, edge_budget=1_000, names=True)
        figures = graph.collect_figures()
        assert (figures.hits, figures.entries) == (hits, hits)
        assert figures.from_graph == 2 - hits


async def test_questions_at_once_share_one_call(town: Town) -> None:
    found = await asyncio.gather(*(town.around("Ada", "Bob") for _ in range(8)))
    assert all(one is found[0] for one in found)
    figures = town.cached.collect_figures()
    assert (figures.from_graph, figures.hits) == (1, 7)


async def test_one_who_leaves_takes_nothing_from_those_who_wait(town: Town) -> None:
    cache, key, loads = TrieCache(2**20), TrieKey(("4:x:1",), 2, 10, True), Loads(town)
    now, feed = await stamp(town.connection), ChangeFeed(town.connection)
    leaving = asyncio.create_task(cache.get(key, now, loads.load, feed))
    await loads.begun.wait()
    staying = asyncio.create_task(cache.get(key, now, loads.load, feed))
    leaving.cancel()
    await asyncio.wait([leaving])
    loads.go.set()
    assert same(await staying, await town.now("Ada"))
    assert (leaving.cancelled(), loads.count) == (True, 1)


async def test_who_asks_after_a_commit_gets_no_read_that_began_before_it(town: Town) -> None:
    cache, key, loads = TrieCache(2**20), TrieKey(("4:x:1",), 2, 10, True), Loads(town)
    feed = ChangeFeed(town.connection)
    before = asyncio.create_task(cache.get(key, await stamp(town.connection), loads.load, feed))
    await loads.begun.wait()
    await town.connection.run_write("MATCH (n {name: 'Ada'}) SET n.name = 'Eve'")
    after = asyncio.create_task(cache.get(key, await stamp(town.connection), loads.load, feed))
    loads.go.set()
    await asyncio.gather(before, after)
    assert loads.count == 2


class Loads:
    """Loads that begin at once, and end when they may."""

    def __init__(self, town: Town) -> None:
        self.begun, self.go = asyncio.Event(), asyncio.Event()
        self.count = 0
        self._town = town

    async def load(self) -> Neighbourhood:
        self.count += 1
        self.begun.set()
        await self.go.wait()
        return await self._town.now("Ada")


async def test_a_graph_that_is_gone_is_told_to_all_and_not_remembered(tmp_path: Path) -> None:
    nowhere = Settings(neo4j_uri="bolt://127.0.0.1:9", _env_file=None)
    async with GraphConnection(nowhere) as connection:
        cached = CachedGraph(connection, TrieCache(2**20), TrieFiles(tmp_path))
        with pytest.raises(GraphUnavailableError, match=r"127\.0\.0\.1:9"):
            await around(cached, ["4:x:1"])
        assert cached.collect_figures().entries == 0
