"""What is kept stays while others are touched, and is never older than what was committed."""

from __future__ import annotations

import asyncio
import random
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pytest

from neighbourhoods import same
from trellis.domain.graph import NodeId
from trellis.domain.graph_config import GraphConfig
from trellis.graph.cached_graph import CachedGraph
from trellis.graph.connection import GraphConnection
from trellis.graph.neo4j_graph import Neo4jGraph
from trellis.graph.trie_cache import TrieCache, TrieKey
from trellis.graph.trie_files import TrieFiles

TOWN = """
CREATE (b:Person {name: 'Bob'})-[:KNOWS]->(:Person {name: 'Cleo'}),
       (:Person {name: 'Ada'})-[:KNOWS]->(b),
       (:Person {name: 'Dan'})-[:KNOWS]->(:Person {name: 'Eve'}), (:City {name: 'Ulm', size: 1}),
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

    async def is_right(self, name: str, hops: int) -> bool:
        """Whether the cache gives what the graph holds."""
        return same(
            await self.cached.neighbourhood([self.ids[name]], hops, edge_budget=99, names=True),
            await self.plain.neighbourhood([self.ids[name]], hops, edge_budget=99, names=True),
        )

    def invalidated(self) -> int:
        return self.cached.collect_figures().invalidated


@pytest.fixture
async def town(clean_graph: GraphConnection, tmp_path: Path) -> Town:
    await clean_graph.run_write(TOWN)
    ids = {row["name"]: row["id"] for row in await clean_graph.read_rows(IDS)}
    cached = CachedGraph(clean_graph, TrieCache(2**22), TrieFiles(tmp_path), CONFIG)
    return Town(clean_graph, cached, Neo4jGraph(clean_graph, CONFIG), ids)


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
    assert await town.is_right("Ada", 2)
    await town.connection.run_write(change)
    assert await town.is_right("Ada", 2)
    assert (town.invalidated(), town.cached.collect_figures().hits) == (0, 1)


@pytest.mark.parametrize(
    "change",
    [
        "MATCH (a {name: 'Ada'}), (e {name: 'Eve'}) CREATE (e)-[:KNOWS]->(a)",
        "MATCH (:Person {name: 'Ada'})-[r]->() DELETE r",
        "MATCH (n {name: 'Cleo'}) SET n.name = 'Cloe'",
        "MATCH (n {name: 'Cleo'}) SET n:Secret",
        "MATCH (n {name: 'Gin'}) REMOVE n:Secret",
        "MATCH (n {name: 'Cleo'}) DETACH DELETE n",
    ],
)
async def test_what_a_commit_touches_is_read_anew(town: Town, change: str) -> None:
    assert await town.is_right("Ada", 2)
    await town.connection.run_write(change)
    assert await town.is_right("Ada", 2)
    assert town.invalidated() == 1


async def test_what_may_be_old_by_consent_is_served_unasked_and_says_so(
    town: Town, tmp_path: Path
) -> None:
    cache = TrieCache(2**22)
    aged = CachedGraph(town.connection, cache, TrieFiles(tmp_path), CONFIG, trie_age=3_600)
    ada = [town.ids["Ada"]]
    before = await aged.neighbourhood(ada, 2, edge_budget=99, names=True)
    await town.connection.run_write("MATCH (n {name: 'Cleo'}) SET n.name = 'Cloe'")
    assert await aged.neighbourhood(ada, 2, edge_budget=99, names=True) is before
    assert any("3600 seconds old" in note for note in await aged.list_notes())
    key = TrieKey.of(ada, 2, edge_budget=99, names=True)
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
    figures = town.cached.collect_figures()
    assert figures.hits
