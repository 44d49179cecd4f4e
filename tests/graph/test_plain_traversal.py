"""Plain Cypher gives what the procedures give."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from neighbourhoods import same
from trellis.domain.graph import NodeId, RelationPath, Step
from trellis.domain.graph_config import GraphConfig
from trellis.graph.connection import GraphConnection
from trellis.graph.neo4j_graph import SLOWER_NOTE, Neo4jGraph

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
