"""What indexing leaves to search in: the words of relationship types and labels, and values; both
follow the graph, are hidden, and go when they are taken off."""

from __future__ import annotations

import pytest

from memory_graph import TrigramEmbedder
from real_neo4j import GraphFiller
from trellis.domain.errors import NotIndexedError
from trellis.domain.graphs.graph_config import GraphConfig
from trellis.graph.database.connection import GraphConnection
from trellis.graph.indexes.indexing import index_graph, remove_index
from trellis.graph.indexes.kind_words import write_words
from trellis.graph.neo4j_graph import Neo4jGraph
from trellis.graph.values import remembering
from trellis.steps.link.values.link_values import link_values

EMBEDDER = TrigramEmbedder()
_OWN = """
CREATE (a:Person {name: 'Ada'})-[:BORN_IN]->(c:City {name: 'London'}),
       (a)-[:`people.person.gender`]->(:Gender {name: 'female'}), (a)-[:`->`]->(c)
"""
_INDEXES = """
SHOW VECTOR INDEXES YIELD name WHERE name STARTS WITH '_trellis' RETURN name ORDER BY name
"""
_BY_INDEX = """
CALL db.index.vector.queryNodes('_trellis_relation_vector', 1, $vector) YIELD node
RETURN node._trellis_name AS name
"""


class OtherEmbedder(TrigramEmbedder):
    """Another model by name, of other dimensions."""

    name = "other"
    dimensions = 32


@pytest.fixture
async def own(fill: GraphFiller) -> GraphConnection:
    return await fill(_OWN, EMBEDDER)


async def find(graph: Neo4jGraph, text: str, embedder: TrigramEmbedder = EMBEDDER) -> list[str]:
    [found] = await graph.search_relations_by_vector(embedder.embed([text]), 10)
    return [near.name for near in found]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("BORN_IN", "born in"),
        ("placeOfBirth", "place of birth"),
        ("people.person.gender", "gender person people"),
        ("->", "->"),
    ],
)
def test_a_name_is_embedded_by_its_words(name: str, words: str) -> None:
    assert write_words(name) == words


async def test_relations_come_by_their_words(own: GraphConnection) -> None:
    graph = Neo4jGraph(own)
    assert (await find(graph, "born in"))[0] == "BORN_IN"
    assert (await find(graph, "gender of a person"))[0] == "people.person.gender"
    assert sorted(await find(graph, "anything")) == ["->", "BORN_IN", "people.person.gender"]
    hidden = Neo4jGraph(own, GraphConfig(hidden_relations=("BORN_IN",)))
    assert "BORN_IN" not in await find(hidden, "born in")


async def test_they_are_in_vector_indexes_and_not_in_the_schema(own: GraphConnection) -> None:
    names = [row["name"] for row in await own.run_command(_INDEXES)]
    assert names == ["_trellis_label_vector", "_trellis_relation_vector", "_trellis_vector"]
    [vector] = EMBEDDER.embed(["born in"]).tolist()
    assert await own.read_rows(_BY_INDEX, vector=vector) == [{"name": "BORN_IN"}]
    schema = await Neo4jGraph(own).schema()
    assert {kind.label for kind in schema.labels} == {"Person", "City", "Gender"}
    assert schema.nodes == (await Neo4jGraph(own).read_status()).nodes == 3


async def test_a_new_type_is_found_without_indexing_again(own: GraphConnection) -> None:
    await own.run_write("MATCH (a:Person), (c:City) CREATE (a)-[:WORKS_FOR]->(c)")
    assert (await find(Neo4jGraph(own, embedder=EMBEDDER), "works for"))[0] == "WORKS_FOR"
    assert "WORKS_FOR" not in await find(Neo4jGraph(own), "works for")
    await index_graph(own, EMBEDDER)
    assert (await find(Neo4jGraph(own), "works for"))[0] == "WORKS_FOR"


async def test_a_type_that_is_gone_is_not_found(own: GraphConnection) -> None:
    await own.run_write("MATCH ()-[r:BORN_IN]->() DELETE r")
    assert "BORN_IN" not in await find(Neo4jGraph(own), "born in")
    await index_graph(own, EMBEDDER)
    rows = await own.read_rows("MATCH (n:_TrellisRelation) RETURN n._trellis_name AS name")
    assert sorted(row["name"] for row in rows) == ["->", "people.person.gender"]


async def test_another_embedder_takes_the_place_of_all_vectors(own: GraphConnection) -> None:
    graph, other = Neo4jGraph(own, embedder=EMBEDDER), OtherEmbedder()
    assert (await find(graph, "born in"))[0] == "BORN_IN"
    await index_graph(own, other)
    assert (await find(graph, "born in", other))[0] == "BORN_IN"


async def test_without_embeddings_the_search_says_so(clean_graph: GraphConnection) -> None:
    await clean_graph.run_write(_OWN)
    await index_graph(clean_graph)
    with pytest.raises(NotIndexedError, match="no embeddings"):
        await find(Neo4jGraph(clean_graph, embedder=EMBEDDER), "born in")


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
