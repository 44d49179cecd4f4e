"""Which steps nodes have together, where no labels tell their kinds."""

from __future__ import annotations

from trellis.domain.graph import Step
from trellis.domain.graph_config import GraphConfig
from trellis.graph.connection import GraphConnection
from trellis.graph.gate import Limits, Neo4jQueries
from trellis.graph.indexing import index_graph
from trellis.graph.neo4j_graph import Neo4jGraph
from trellis.steps.claims.step_companions import StepCompanions

CLUBS = """
CREATE (a:Entity {name: 'Ann'}), (b:Entity {name: 'Bo'}), (x:Entity {name: 'X United'}),
       (y:Entity {name: 'Y City'}), (n:Entity {name: 'Norway'}), (s:Entity {name: '7'}),
       (a)-[:PLAYS_IN]->(x), (b)-[:PLAYS_IN]->(y), (a)-[:WEARS]->(s), (b)-[:WEARS]->(s),
       (x)-[:BASED_IN]->(n)
"""
PLAYS, WEARS, BASED = Step("PLAYS_IN"), Step("WEARS"), Step("BASED_IN")


async def test_kinds_are_told_by_steps(clean_graph: GraphConnection) -> None:
    await clean_graph.run_write(CLUBS)
    await index_graph(clean_graph)
    graph = Neo4jGraph(clean_graph, GraphConfig())
    companions = StepCompanions(graph, Neo4jQueries(clean_graph, Limits()))
    await companions.load([PLAYS, PLAYS.turn(), WEARS.turn()])
    assert companions.may_have([PLAYS], WEARS)
    assert companions.may_have([PLAYS.turn()], BASED)  # a club without a place has one, perhaps
    assert not companions.may_have([PLAYS.turn()], WEARS)  # clubs wear no number
    assert not companions.may_have([WEARS.turn()], PLAYS.turn())  # nobody plays in a number
    assert companions.may_have([], WEARS)  # of what has no steps nothing is known


async def test_what_is_known_ends_with_the_schema(clean_graph: GraphConnection) -> None:
    await clean_graph.run_write(CLUBS)
    await index_graph(clean_graph)
    graph = Neo4jGraph(clean_graph, GraphConfig())
    companions = StepCompanions(graph, Neo4jQueries(clean_graph, Limits()))
    await companions.load([PLAYS.turn()])
    assert not companions.may_have([PLAYS.turn()], Step("OWNED_BY"))
    await clean_graph.run_write(
        "MATCH (x {name: 'X United'}), (a {name: 'Ann'}) CREATE (x)-[:OWNED_BY]->(a)"
    )
    await companions.load([PLAYS.turn()])
    assert companions.may_have([PLAYS.turn()], Step("OWNED_BY"))
