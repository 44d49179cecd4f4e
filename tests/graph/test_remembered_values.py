"""Values are found by what indexing leaves, and nothing of them is left when it is taken off."""

from __future__ import annotations

import pytest

from real_neo4j import GraphFiller
from trellis.domain.graph_config import GraphConfig
from trellis.graph.connection import GraphConnection
from trellis.graph.indexing import index_graph, remove_index
from trellis.graph.neo4j_graph import Neo4jGraph
from trellis.graph.values import remembering
from trellis.steps.link.values.link_values import link_values

_TOWN = """
UNWIND range(1, $count) AS i
CREATE (:House {address: i + ' Mill \\'Lane\\' (' + (i % 7) + ')', kind: ['flat', 'villa'][i % 2],
                built: date('1900-01-01') + duration({days: i % 90}), secret: 's' + i % 3})
"""


@pytest.fixture
async def town(fill: GraphFiller) -> GraphConnection:
    """More houses than a label may have for all its values to be remembered."""
    return await fill(_TOWN, count=6_000, is_indexed=False)


async def values(connection: GraphConnection, question: str, config: GraphConfig) -> set[object]:
    mentions = await link_values(question, Neo4jGraph(connection, config))
    return {mention.best.stored.value for mention in mentions}


async def test_few_values_are_remembered_and_many_are_searched(town: GraphConnection) -> None:
    config = GraphConfig(hidden_properties=("House.secret",))
    report = await index_graph(town, config=config)
    assert report.values == 2 + 90
    asked = "Which villas at 4321 Mill 'Lane' (2) were built on February 3, 1900, or s1?"
    assert await values(town, asked, config) == {"villa", "4321 Mill 'Lane' (2)", "1900-02-03"}
    assert await values(town, 'At "12 mill lane (5)" \\ AND or*?', config) == {"12 Mill 'Lane' (5)"}


async def test_without_indexing_the_users_own_indexes_and_the_schema_serve(
    clean_graph: GraphConnection,
) -> None:
    names = [f"Name {i}" for i in range(80)]
    await clean_graph.run_write(
        "UNWIND $names AS name CREATE (:Person {name: name, rank: 'Sergeant'})", names=names
    )
    await clean_graph.run_command("CREATE INDEX own_name FOR (p:Person) ON (p.name)")
    await clean_graph.run_command("CALL db.awaitIndexes(60)")
    await remove_index(clean_graph)
    try:
        found = await values(clean_graph, "Is Name 78 a sergeant?", GraphConfig())
        assert found == {"Name 78", "Sergeant"}
    finally:
        await clean_graph.run_command("DROP INDEX own_name")


async def test_the_index_follows_the_properties(town: GraphConnection) -> None:
    await index_graph(town)
    await town.run_write("MATCH (h:House) SET h.place = h.address REMOVE h.address")
    await index_graph(town)
    shown = "SHOW FULLTEXT INDEXES YIELD name, properties WHERE name = '_trellis_values'"
    assert [r["properties"] for r in await town.run_command(f"{shown} RETURN properties")] == [
        ["_trellis_nowhere", "place"]
    ]


async def test_a_property_of_more_values_than_are_remembered_is_left_out(
    clean_graph: GraphConnection,
) -> None:
    await clean_graph.run_write(_TOWN, count=10)
    schema = await Neo4jGraph(clean_graph).schema()
    assert await remembering.index_values(clean_graph, schema) == 10 + 2 + 10 + 3


async def test_values_of_several_types_are_remembered_as_they_are(
    clean_graph: GraphConnection,
) -> None:
    await clean_graph.run_write("CREATE (:Thing {code: 7}), (:Thing {code: 'seven'}), (:Thing)")
    assert (await index_graph(clean_graph)).values == 2
    assert await values(clean_graph, "Is it 7 or Seven?", GraphConfig()) == {7, "seven"}
