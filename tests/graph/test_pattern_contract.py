"""What Neo4j finds with our procedures and in plain Cypher: patterns and traces against trying
every mapping, neighbourhoods and paths against one another."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

import pytest

from memory_graph import MemoryGraph
from memory_traces import trace_by_brute_force
from neighbourhoods import same
from real_neo4j import GraphFiller, emptied
from trellis.domain.errors import PatternError
from trellis.domain.graphs.graph import Node, NodeId, RelationPath, Step
from trellis.domain.graphs.graph_config import GraphConfig
from trellis.domain.structures.patterns import (
    LabelCandidates,
    NodeCandidates,
    PatternGraph,
    PatternMatches,
    PatternSearch,
    RelationCandidates,
)
from trellis.domain.structures.traces import (
    AnchorScores,
    RelationScores,
    TraceRules,
    Traces,
    TraceSearch,
)
from trellis.graph.database.connection import GraphConnection
from trellis.graph.neo4j_graph import SLOWER_NOTE, Neo4jGraph

GRAPHS, SEARCHES = 12, 25
TYPES = ("A", "B", "odd `type`")
LABELS = ("Film", "Person")
DISTANCES = (0.0, 0.1, 0.2, 0.3, 1.4142135623730951)
SCORES = (0.0, 0.25, 0.6, 1.0)


@pytest.fixture(scope="module", params=[True, False], ids=["procedure", "plain"])
def use_plugin(request: pytest.FixtureRequest) -> bool:
    return bool(request.param)


async def store_random_graph(
    connection: GraphConnection, source: random.Random, most_nodes: int, edges: int
) -> tuple[MemoryGraph, list[str]]:
    """A random multigraph in Neo4j, with up to so many edges a node and parallel ones; the same in
    memory under the same element ids, and the ids of its relationships."""
    await emptied(connection)
    size = source.randint(1, most_nodes)
    kinds = [source.sample(LABELS, source.randint(0, 2)) for _ in range(size)]
    ends = [source.choices([0, *range(size)], k=2) for _ in range(source.randint(0, edges * size))]
    parallel = [pair for pair in ends for _ in range(source.choice((1, 1, 1, 2, 3)))]
    await connection.run_write("UNWIND $kinds AS kinds CREATE (n) SET n:$(kinds)", kinds=kinds)
    rows = await connection.read_rows(
        "MATCH (n) WHERE NOT n:_TrellisMeta"
        " RETURN elementId(n) AS id, labels(n) AS labels ORDER BY id"
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
    nodes = [Node(row["id"], row["id"], tuple(row["labels"])) for row in rows]
    return MemoryGraph(nodes, triples), [str(row["id"]) for row in stored]


def draw_pattern(source: random.Random, most_extra: int) -> PatternGraph:
    """A tree of up to four nodes, and some edges more."""
    size = source.randint(1, 4)
    edges = [source.sample((node, source.randrange(node)), 2) for node in range(1, size)]
    edges += [source.choices(range(size), k=2) for _ in range(source.randint(0, most_extra))]
    return PatternGraph(size, tuple((a, b) for a, b in edges))


def draw_pattern_search(graph: MemoryGraph, source: random.Random) -> PatternSearch:
    pattern = draw_pattern(source, 2)
    return PatternSearch(
        pattern,
        tuple(draw_node_candidates(graph, source) for _ in range(pattern.nodes)),
        tuple(draw_relation_candidates(source) for _ in pattern.edges),
        directed=source.random() < 0.3,
    )


def draw_node_candidates(
    graph: MemoryGraph, source: random.Random
) -> NodeCandidates | LabelCandidates | None:
    kind = source.randrange(4)
    if kind == 0:
        return None
    if kind == 1:
        labels = tuple(source.choices((*LABELS, "None such"), k=source.randint(1, 3)))
        return LabelCandidates(labels, tuple(source.choice(DISTANCES) for _ in labels))
    nodes = source.choices(graph.nodes, k=source.randint(1, 2 * len(graph.nodes)))
    ids = tuple(node.id for node in nodes)
    return NodeCandidates(ids, tuple(source.choice(DISTANCES) for _ in ids))


def draw_relation_candidates(source: random.Random) -> RelationCandidates | None:
    if source.random() < 0.4:
        return None
    types = tuple(source.choices((*TYPES, "NONE SUCH"), k=source.randint(1, 5)))
    return RelationCandidates(types, tuple(source.choice(DISTANCES) for _ in types))


def list_matches(found: PatternMatches) -> list[tuple[float, list[str]]]:
    return [(round(m.distance, 9), [node.id for node in m.nodes]) for m in found.matches]


def rate_triples(search: PatternSearch, found: PatternMatches) -> list[float]:
    """What the relationships of each match cost, after a check that they are where they should."""
    sums = []
    for match in found.matches:
        assert len(set(match.relationships)) == len(search.pattern.edges)
        total = 0.0
        for edge, triple, given in zip(
            search.pattern.edges, match.triples, search.relations, strict=True
        ):
            ends = [match.nodes[at] for at in edge]
            assert [triple.head, triple.tail] in ([ends] if search.directed else [ends, ends[::-1]])
            pairs = zip(given.types, given.distances, strict=True) if given else ()
            total += min((d for name, d in pairs if name == triple.relation), default=0.0)
        sums.append(round(total, 9))
    return sums


@pytest.mark.parametrize("seed", range(GRAPHS))
async def test_the_matches_are_those_of_brute_force(
    connection: GraphConnection, use_plugin: bool, seed: int
) -> None:
    source = random.Random(seed)
    memory, _ = await store_random_graph(connection, source, 13, 3)
    stored = Neo4jGraph(connection, use_plugin=use_plugin)
    for _ in range(SEARCHES):
        search, limit = draw_pattern_search(memory, source), source.randint(1, 7)
        expected = await memory.search_patterns(search, limit, 20)
        found = await stored.search_patterns(search, limit, 20)
        assert list_matches(found) == list_matches(expected), search
        assert found.is_complete
        assert rate_triples(search, found) == rate_triples(search, expected)


def draw_trace_search(graph: MemoryGraph, source: random.Random) -> TraceSearch:
    pattern = draw_pattern(source, 1)
    listed = source.randrange(pattern.nodes)
    rules = TraceRules(
        source.choice(("precision", "breadth")),
        source.choice(SCORES),
        source.choice((0.0, 0.25)),
        source.choice(("any", "not_topic", "simple")),
        source.random() < 0.3,
        100_000,
    )
    return TraceSearch(
        pattern,
        tuple(
            draw_anchors(graph, source) if at == listed or source.random() < 0.3 else None
            for at in range(pattern.nodes)
        ),
        tuple(draw_relations(source) for _ in pattern.edges),
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


def list_traces(found: Traces) -> list[tuple[object, ...]]:
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
    memory, ids = await store_random_graph(connection, source, 9, 2)
    stored = Neo4jGraph(connection, use_plugin=use_plugin)
    for _ in range(SEARCHES):
        search = draw_trace_search(memory, source)
        expected = trace_by_brute_force(memory.nodes, memory.triples, search, ids)
        found = await stored.search_traces(search, 20)
        assert list_traces(found) == list_traces(expected), search
        assert found.is_complete


async def find_anchor(connection: GraphConnection, name: str) -> AnchorScores:
    query = "MATCH (n {name: $name}) RETURN elementId(n) AS id"
    [row] = await connection.read_rows(query, name=name)
    return AnchorScores((str(row["id"]),), (1.0,))


EDGE = PatternGraph(2, ((0, 1),))
SECRETS = """
CREATE (a:Film {name: 'a'})-[:A]->(b:Secret {name: 'b'})-[:B]->(c:Film {name: 'c'}),
       (a)-[:C]->(c), (a)-[:_trellis_x]->(c), (m:_TrellisMeta)-[:C]->(c), (m)-[:C]->(a)
"""
HIDDEN = GraphConfig(hidden_labels=("Secret",), hidden_relations=("D",))
NOTHING_SEEN = replace(HIDDEN, hidden_relations=("C",))


async def test_what_the_configuration_hides_is_not_found(
    fill: GraphFiller, use_plugin: bool
) -> None:
    secrets = await fill(SECRETS, is_indexed=False)
    graph, blind = (Neo4jGraph(secrets, it, use_plugin) for it in (HIDDEN, NOTHING_SEEN))
    anything = PatternSearch(EDGE, (None, None), (None,))
    seen = await graph.search_patterns(anything, 10, 20)
    assert sorted([n.name for n in m.nodes] for m in seen.matches) == [["a", "c"], ["c", "a"]]
    assert [str(m.triples[0].relation) for m in seen.matches] == ["C", "C"]
    assert await blind.search_patterns(anything, 10, 20) == PatternMatches((), is_complete=True)
    rules = TraceRules("breadth", threshold=0.0)
    from_a = TraceSearch(EDGE, (await find_anchor(secrets, "a"), None), (None,), rules=rules)
    traced = await graph.search_traces(from_a, 20)
    assert [str(t.triples[0].relation) for t in traced.traces] == ["C"]
    from_hidden = replace(from_a, nodes=(await find_anchor(secrets, "b"), None))
    assert await blind.search_traces(from_a, 20) == Traces(())
    assert await graph.search_traces(from_hidden, 20) == Traces(())


async def test_a_listed_node_that_is_not_there_is_refused(
    fill: GraphFiller, use_plugin: bool
) -> None:
    film = await fill("CREATE (:Film {name: 'a'})", is_indexed=False)
    graph, there = Neo4jGraph(film, use_plugin=use_plugin), await find_anchor(film, "a")
    alone = PatternGraph(1, ())
    for id in ("4:nowhere:99", "nonsense", ""):
        listed = rf"candidates.nodes\[0\].ids\[0\] is '{id}'"
        search = PatternSearch(alone, (NodeCandidates((id,), (0.0,)),), ())
        with pytest.raises(PatternError, match=listed):
            await graph.search_patterns(search, 1, 20)
        with pytest.raises(PatternError, match=listed):
            await graph.search_traces(TraceSearch(alone, (AnchorScores((id,), (1.0,)),), ()), 20)
        with pytest.raises(PatternError, match=rf"guidance\[0\] is '{id}'"):
            await graph.search_traces(TraceSearch(alone, (there,), (), (id,)), 20)


async def test_a_limit_out_of_range_is_refused(
    clean_graph: GraphConnection, use_plugin: bool
) -> None:
    graph = Neo4jGraph(clean_graph, use_plugin=use_plugin)
    search = PatternSearch(PatternGraph(1, ()), (None,), ())
    for limit in (0, -1, 1_000_000):
        with pytest.raises(PatternError, match=f"{limit} matches"):
            await graph.search_patterns(search, limit, 20)


async def test_more_traces_than_the_limit_are_said_to_be_cut(
    fill: GraphFiller, use_plugin: bool
) -> None:
    create = "CREATE (a {name: 'a'}) WITH a UNWIND range(1, 5) AS i CREATE (a)-[:A]->()"
    star = await fill(create, is_indexed=False)
    anchor, graph = await find_anchor(star, "a"), Neo4jGraph(star, use_plugin=use_plugin)
    for limit, is_complete in ((4, False), (5, True)):
        rules = TraceRules("breadth", threshold=0.0, limit=limit)
        found = await graph.search_traces(
            TraceSearch(EDGE, (anchor, None), (None,), rules=rules), 20
        )
        assert (len(found.traces), found.is_complete) == (limit, is_complete)


_NODES = "UNWIND range(0, 19) AS i CREATE (n:Node {name: 'n' + i}) RETURN elementId(n) AS id"
_EDGE = """
UNWIND $rows AS row MATCH (a) WHERE elementId(a) = row[0] MATCH (b) WHERE elementId(b) = row[1]
CREATE (a)-[:$type]->(b)
"""


async def world(connection: GraphConnection, seed: int) -> list[NodeId]:
    """A random multigraph of 20 nodes with loops, parallel relationships and a hub."""
    chance = random.Random(seed)
    ids: list[NodeId] = [row["id"] for row in await connection.run_write(_NODES)]
    for kind in ("KNOWS", "odd `type", "_Trellis_hidden"):
        ends = [[chance.choice(ids[:3] * 5 + ids), chance.choice(ids)] for _ in range(25)]
        query = _EDGE.replace("$type", "`" + kind.replace("`", "``") + "`")
        await connection.run_write(query, rows=[*ends, *ends[:5], [ids[0], ids[0]]])
    await connection.run_write("MATCH (n:Node) WHERE n.name IN ['n5', 'n6'] SET n:Secret")
    return ids


def both(connection: GraphConnection, config: GraphConfig) -> Sequence[Neo4jGraph]:
    return [Neo4jGraph(connection, config, use_plugin=plugin) for plugin in (True, False)]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("hidden", [(), ("Secret",)])
async def test_whole_neighbourhoods_and_paths_are_the_same(
    clean_graph: GraphConnection, seed: int, hidden: tuple[str, ...]
) -> None:
    ids = await world(clean_graph, seed)
    config = GraphConfig(hidden_labels=hidden, hidden_relations=("no such type",))
    procedure, plain = both(clean_graph, config)
    for anchors, hops in (([ids[3]], 1), ([ids[9], ids[1], ids[9]], 2), ([ids[5]], 3), ([], 2)):
        asked = {"edge_budget": 10_000, "names": True}
        one = await procedure.neighbourhood(anchors, hops, **asked)
        other = await plain.neighbourhood(anchors, hops, **asked)
        assert same(one, other)
        budget = {"edge_budget": 10_000, "path_budget": 500}
        found = await procedure.reachable(anchors, hops, **budget)
        assert found == await plain.reachable(anchors, hops, **budget)


async def test_a_budget_cuts_both_and_both_say_so(clean_graph: GraphConnection) -> None:
    ids = await world(clean_graph, 7)
    for graph in both(clean_graph, GraphConfig()):
        found = await graph.neighbourhood([ids[0]], 2, edge_budget=12, names=False)
        assert found.cut
        assert found.edges <= 12
        assert all(0 <= cut.kept < cut.total for cut in found.cuts)
        reachable = await graph.reachable([ids[0]], 2, edge_budget=12, path_budget=500)
        assert reachable.cut
        assert not all(path.has_exact_counts for path in reachable.paths)


async def test_hidden_labels_are_not_reached(clean_graph: GraphConnection) -> None:
    await clean_graph.run_write(
        "CREATE (a:Person {name: 'Ann'})-[:KNOWS]->(:Person:Secret {name: 'Spy'}),"
        " (a)-[:KNOWS]->(:Person {name: 'Bob'})"
    )
    [row] = await clean_graph.read_rows("MATCH (a {name: 'Ann'}) RETURN elementId(a) AS id")
    path = RelationPath((row["id"],), (Step("KNOWS"),))
    for graph in both(clean_graph, GraphConfig(hidden_labels=("Secret",))):
        assert [one.node.name for one in await graph.reach_nodes(path, "any", 5)] == ["Bob"]


async def test_it_is_said_that_plain_cypher_is_slower(clean_graph: GraphConnection) -> None:
    procedure, plain = both(clean_graph, GraphConfig())
    assert await procedure.list_notes() == ()
    assert await plain.list_notes() == (SLOWER_NOTE,)
    assert await Neo4jGraph(clean_graph).list_notes() == ()
