"""Pattern search on Neo4j, with and without our procedures, against trying every mapping."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from memory_graph import MemoryGraph
from real_neo4j import emptied
from trellis.domain.errors import PatternError
from trellis.domain.graph import Node
from trellis.domain.graph_config import GraphConfig
from trellis.domain.patterns import (
    LabelCandidates,
    NodeCandidates,
    PatternGraph,
    PatternMatches,
    PatternSearch,
    RelationCandidates,
)
from trellis.graph.connection import GraphConnection
from trellis.graph.neo4j_graph import Neo4jGraph

GRAPHS, SEARCHES = 12, 25
TYPES = ("A", "B", "odd `type`")
LABELS = ("Film", "Person")
DISTANCES = (0.0, 0.1, 0.2, 0.3, 1.4142135623730951)


@pytest.fixture(scope="module", params=[True, False], ids=["procedure", "plain"])
def use_plugin(request: pytest.FixtureRequest) -> bool:
    return bool(request.param)


async def store_random_graph(connection: GraphConnection, source: random.Random) -> MemoryGraph:
    """A random multigraph in Neo4j, and the same in memory under the same element ids."""
    await emptied(connection)
    size = source.randint(1, 13)
    kinds = [source.sample(LABELS, source.randint(0, 2)) for _ in range(size)]
    ends = [source.choices([0, *range(size)], k=2) for _ in range(source.randint(0, 3 * size))]
    parallel = [pair for pair in ends for _ in range(source.choice((1, 1, 1, 2, 3)))]
    triples = [(h, source.choice(TYPES), t) for h, t in parallel]
    await connection.run_write("UNWIND $kinds AS kinds CREATE (n) SET n:$(kinds)", kinds=kinds)
    rows = await connection.read_rows(
        "MATCH (n) WHERE NOT n:_TrellisMeta"
        " RETURN elementId(n) AS id, labels(n) AS labels ORDER BY id"
    )
    await connection.run_write(
        "UNWIND $triples AS t MATCH (a) WHERE elementId(a) = t[0]"
        " MATCH (b) WHERE elementId(b) = t[2] CREATE (a)-[:$(t[1])]->(b)",
        triples=[[rows[h]["id"], relation, rows[t]["id"]] for h, relation, t in triples],
    )
    nodes = [Node(row["id"], row["id"], tuple(row["labels"])) for row in rows]
    return MemoryGraph(nodes, triples)


def draw_search(graph: MemoryGraph, source: random.Random) -> PatternSearch:
    size = source.randint(1, 4)
    edges = [source.sample((node, source.randrange(node)), 2) for node in range(1, size)]
    edges += [source.choices(range(size), k=2) for _ in range(source.randint(0, 2))]
    return PatternSearch(
        PatternGraph(size, tuple((a, b) for a, b in edges)),
        tuple(draw_node_candidates(graph, source) for _ in range(size)),
        tuple(draw_relation_candidates(source) for _ in edges),
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


def shown(found: PatternMatches) -> list[tuple[float, list[str]]]:
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
    memory = await store_random_graph(connection, source)
    stored = Neo4jGraph(connection, use_plugin=use_plugin)
    for _ in range(SEARCHES):
        search, limit = draw_search(memory, source), source.randint(1, 7)
        expected = await memory.search_patterns(search, limit, 20)
        found = await stored.search_patterns(search, limit, 20)
        assert shown(found) == shown(expected), search
        assert found.is_complete
        assert rate_triples(search, found) == rate_triples(search, expected)


async def test_what_the_configuration_hides_is_not_matched(
    clean_graph: GraphConnection, use_plugin: bool
) -> None:
    await clean_graph.run_write(
        "CREATE (a:Film {name: 'a'})-[:A]->(b:Secret {name: 'b'})-[:B]->(c:Film {name: 'c'}),"
        " (a)-[:C]->(c), (a)-[:_trellis_x]->(c), (:_TrellisMeta)-[:C]->(c)"
    )
    anything = PatternSearch(PatternGraph(2, ((0, 1),)), (None, None), (None,))
    config = GraphConfig(hidden_labels=("Secret",), hidden_relations=("D",))
    seen = await Neo4jGraph(clean_graph, config, use_plugin).search_patterns(anything, 10, 20)
    assert sorted([n.name for n in m.nodes] for m in seen.matches) == [["a", "c"], ["c", "a"]]
    assert [str(m.triples[0].relation) for m in seen.matches] == ["C", "C"]
    without = replace(config, hidden_relations=("C",))
    none = await Neo4jGraph(clean_graph, without, use_plugin).search_patterns(anything, 10, 20)
    assert none == PatternMatches((), is_complete=True)


async def test_a_listed_node_that_is_not_there_is_refused(
    clean_graph: GraphConnection, use_plugin: bool
) -> None:
    await clean_graph.run_write("CREATE (:Film)")
    graph = Neo4jGraph(clean_graph, use_plugin=use_plugin)
    for id in ("4:nowhere:99", "nonsense", ""):
        search = PatternSearch(PatternGraph(1, ()), (NodeCandidates((id,), (0.0,)),), ())
        with pytest.raises(PatternError, match=rf"candidates.nodes\[0\].ids\[0\] is '{id}'"):
            await graph.search_patterns(search, 1, 20)


async def test_a_limit_out_of_range_is_refused(
    clean_graph: GraphConnection, use_plugin: bool
) -> None:
    graph = Neo4jGraph(clean_graph, use_plugin=use_plugin)
    search = PatternSearch(PatternGraph(1, ()), (None,), ())
    for limit in (0, -1, 1_000_000):
        with pytest.raises(PatternError, match=f"{limit} matches"):
            await graph.search_patterns(search, limit, 20)
