"""Traces on Neo4j, with and without our procedures, against trying every mapping."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from memory_graph import MemoryGraph
from memory_traces import trace_by_brute_force
from real_neo4j import emptied
from trellis.domain.errors import PatternError
from trellis.domain.graph import Node
from trellis.domain.graph_config import GraphConfig
from trellis.domain.patterns import PatternGraph
from trellis.domain.traces import (
    AnchorScores,
    RelationScores,
    TraceRules,
    Traces,
    TraceSearch,
)
from trellis.graph.connection import GraphConnection
from trellis.graph.neo4j_graph import Neo4jGraph

GRAPHS, SEARCHES = 12, 25
TYPES = ("A", "B", "odd `type`")
SCORES = (0.0, 0.25, 0.6, 1.0)


@pytest.fixture(scope="module", params=[True, False], ids=["procedure", "plain"])
def use_plugin(request: pytest.FixtureRequest) -> bool:
    return bool(request.param)


async def store_random_graph(
    connection: GraphConnection, source: random.Random
) -> tuple[MemoryGraph, list[str]]:
    """A random multigraph in Neo4j, the same in memory, and its relationships' ids."""
    await emptied(connection)
    size = source.randint(1, 9)
    ends = [source.choices([0, *range(size)], k=2) for _ in range(source.randint(1, 2 * size))]
    parallel = [pair for pair in ends for _ in range(source.choice((1, 1, 2)))]
    await connection.run_write("UNWIND range(1, $size) AS i CREATE ()", size=size)
    rows = await connection.read_rows(
        "MATCH (n) WHERE NOT n:_TrellisMeta RETURN elementId(n) AS id ORDER BY id"
    )
    await connection.run_write(
        "UNWIND $triples AS t MATCH (a) WHERE elementId(a) = t[0]"
        " MATCH (b) WHERE elementId(b) = t[2] CREATE (a)-[:$(t[1])]->(b)",
        triples=[[rows[h]["id"], source.choice(TYPES), rows[t]["id"]] for h, t in parallel],
    )
    number = {row["id"]: i for i, row in enumerate(rows)}
    stored = await connection.read_rows(
        "MATCH (a)-[r]->(b) RETURN elementId(a) AS a, type(r) AS t, elementId(b) AS b,"
        " elementId(r) AS id"
    )
    triples = [(number[row["a"]], str(row["t"]), number[row["b"]]) for row in stored]
    nodes = [Node(row["id"], row["id"]) for row in rows]
    return MemoryGraph(nodes, triples), [str(row["id"]) for row in stored]


def draw_search(graph: MemoryGraph, source: random.Random) -> TraceSearch:
    size = source.randint(1, 4)
    edges = [source.sample((node, source.randrange(node)), 2) for node in range(1, size)]
    edges += [source.choices(range(size), k=2) for _ in range(source.randint(0, 1))]
    listed = source.randrange(size)
    rules = TraceRules(
        source.choice(("precision", "breadth")),
        source.choice(SCORES),
        source.choice((0.0, 0.25)),
        source.choice(("any", "not_topic", "simple")),
        source.random() < 0.3,
        100_000,
    )
    return TraceSearch(
        PatternGraph(size, tuple((a, b) for a, b in edges)),
        tuple(
            draw_anchors(graph, source) if at == listed or source.random() < 0.3 else None
            for at in range(size)
        ),
        tuple(draw_relations(source) for _ in edges),
        tuple(node.id for node in source.sample(graph.nodes, min(3, len(graph.nodes)))),
        rules,
    )


def draw_anchors(graph: MemoryGraph, source: random.Random) -> AnchorScores:
    ids = tuple(node.id for node in source.choices(graph.nodes, k=source.randint(0, 5)))
    return AnchorScores(ids, tuple(source.choice(SCORES) for _ in ids))


def draw_relations(source: random.Random) -> RelationScores | None:
    if source.random() < 0.3:
        return None
    types = tuple(source.choices((*TYPES, "NONE SUCH"), k=source.randint(1, 5)))
    return RelationScores(types, tuple(source.choice(SCORES) for _ in types))


def shown(found: Traces) -> list[tuple[object, ...]]:
    return [
        (
            trace.score,
            [node.id for node in trace.nodes],
            trace.relationships,
            trace.scores,
            [(t.head.id, str(t.relation), t.tail.id) for t in trace.triples],
        )
        for trace in found.traces
    ]


@pytest.mark.parametrize("seed", range(GRAPHS))
async def test_the_traces_are_those_of_brute_force(
    connection: GraphConnection, use_plugin: bool, seed: int
) -> None:
    source = random.Random(seed)
    memory, ids = await store_random_graph(connection, source)
    stored = Neo4jGraph(connection, use_plugin=use_plugin)
    for _ in range(SEARCHES):
        search = draw_search(memory, source)
        expected = trace_by_brute_force(memory.nodes, memory.triples, search, ids)
        found = await stored.search_traces(search, 20)
        assert shown(found) == shown(expected), search
        assert found.is_complete


async def find_id(connection: GraphConnection, name: str) -> str:
    [row] = await connection.read_rows(
        "MATCH (n {name: $name}) RETURN elementId(n) AS id", name=name
    )
    return str(row["id"])


async def test_what_the_configuration_hides_is_not_traced(
    clean_graph: GraphConnection, use_plugin: bool
) -> None:
    await clean_graph.run_write(
        "CREATE (a:Film {name: 'a'})-[:A]->(b:Secret {name: 'b'})-[:B]->(c:Film {name: 'c'}),"
        " (a)-[:C]->(c), (a)-[:_trellis_x]->(c), (:_TrellisMeta)-[:C]->(a)"
    )
    anchor = AnchorScores((await find_id(clean_graph, "a"),), (1.0,))
    rules = TraceRules("breadth", threshold=0.0)
    search = TraceSearch(PatternGraph(2, ((0, 1),)), (anchor, None), (None,), rules=rules)
    config = GraphConfig(hidden_labels=("Secret",), hidden_relations=("D",))
    seen = await Neo4jGraph(clean_graph, config, use_plugin).search_traces(search, 20)
    assert [str(t.triples[0].relation) for t in seen.traces] == ["C"]
    without = replace(config, hidden_relations=("C",))
    assert await Neo4jGraph(clean_graph, without, use_plugin).search_traces(search, 20) == Traces(
        ()
    )
    hidden = AnchorScores((await find_id(clean_graph, "b"),), (1.0,))
    nothing = replace(search, nodes=(hidden, None))
    assert await Neo4jGraph(clean_graph, config, use_plugin).search_traces(nothing, 20) == Traces(
        ()
    )


async def test_more_traces_than_the_limit_are_said_to_be_cut(
    clean_graph: GraphConnection, use_plugin: bool
) -> None:
    await clean_graph.run_write(
        "CREATE (a {name: 'a'}) WITH a UNWIND range(1, 5) AS i CREATE (a)-[:A]->()"
    )
    anchor = AnchorScores((await find_id(clean_graph, "a"),), (1.0,))
    graph = Neo4jGraph(clean_graph, use_plugin=use_plugin)
    for limit, is_complete in ((4, False), (5, True)):
        rules = TraceRules("breadth", threshold=0.0, limit=limit)
        search = TraceSearch(PatternGraph(2, ((0, 1),)), (anchor, None), (None,), rules=rules)
        found = await graph.search_traces(search, 20)
        assert (len(found.traces), found.is_complete) == (limit, is_complete)


async def test_a_listed_node_that_is_not_there_is_refused(
    clean_graph: GraphConnection, use_plugin: bool
) -> None:
    await clean_graph.run_write("CREATE (:Film {name: 'a'})")
    graph = Neo4jGraph(clean_graph, use_plugin=use_plugin)
    there = await find_id(clean_graph, "a")
    for id in ("4:nowhere:99", "nonsense", ""):
        search = TraceSearch(PatternGraph(1, ()), (AnchorScores((id,), (1.0,)),), ())
        with pytest.raises(PatternError, match=rf"candidates.nodes\[0\].ids\[0\] is '{id}'"):
            await graph.search_traces(search, 20)
        guided = TraceSearch(PatternGraph(1, ()), (AnchorScores((there,), (1.0,)),), (), (id,))
        with pytest.raises(PatternError, match=rf"guidance\[0\] is '{id}'"):
            await graph.search_traces(guided, 20)
