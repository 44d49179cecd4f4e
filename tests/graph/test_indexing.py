"""A graph that somebody has already becomes ready, goes on where indexing was stopped, and is
theirs again when we leave."""

from __future__ import annotations

from pathlib import Path

import pytest

from memory_graph import CountingEmbedder, TrigramEmbedder
from real_neo4j import GraphFiller
from trellis.domain.errors import EmptyGraphError, InputError, NotIndexedError
from trellis.domain.graphs.graph import RelationPath, Step
from trellis.graph.database.connection import GraphConnection
from trellis.graph.database.migration import migrate_graph
from trellis.graph.database.state import change_state, read_state
from trellis.graph.indexes.indexing import has_word, index_graph, remove_index
from trellis.graph.neo4j_graph import Neo4jGraph
from trellis.steps.link.link import link_mentions
from trellis_command import build_environment, call_trellis

_OWN = """
CREATE (a:Person {name: 'Ada', full_name: 'Ada Lovelace', age: 36}),
       (b:Person {name: 'Bob', full_name: 'Bob Smith', age: 40}),
       (f:Film {Title: 'Up_and away', code: 'x1'}),
       (c:City:Place {zip: 10115, code: 'Berlin'}), (d:City:Place {zip: 10117, code: 'Bonn'}),
       (p:Place {code: 'Bonn'}), (q:Place {code: 'Bonn'}),
       (e:Event {kind: 'same', day: date('2020-01-01')}), (g:Event {kind: 'same'}),
       (u {name: "nobody's"}), (v:Person {name: '  '}),
       (a)-[:LIVES_IN {since: 1}]->(c), (b)-[:LIVES_IN]->(d), (a)-[:AT]->(e)
"""
_EVERY_NODE = """
MATCH (n) RETURN elementId(n) AS id, labels(n) AS labels, properties(n) AS properties ORDER BY id
"""
_EVERY_RELATIONSHIP = """
MATCH ()-[r]->()
RETURN elementId(r) AS id, type(r) AS type, properties(r) AS properties ORDER BY id
"""
_INDEXES = """
SHOW INDEXES YIELD name, type, entityType, labelsOrTypes, properties
RETURN name, type, entityType, labelsOrTypes, properties ORDER BY name
"""
_CONSTRAINTS = "SHOW CONSTRAINTS YIELD name, type RETURN name, type ORDER BY name"
_VALUES_INDEX = "SHOW INDEXES YIELD name WHERE name = '_trellis_values' RETURN name"


@pytest.fixture
async def own(fill: GraphFiller) -> GraphConnection:
    return await fill(_OWN, is_indexed=False)


async def names(connection: GraphConnection) -> list[str]:
    query = "MATCH (n:_TrellisNamed) RETURN n._trellis_name AS name ORDER BY name"
    return [row["name"] for row in await connection.read_rows(query)]


async def test_naming_properties_are_found_and_nodes_named(own: GraphConnection) -> None:
    report = await index_graph(own)
    assert {kind.label: kind.property for kind in report.naming} == {
        "Person": "name",
        "Film": "Title",
        "City": "code",
        "Place": None,
        "Event": None,
    }
    assert await names(own) == ["Ada", "Berlin", "Bob", "Bonn", "Up_and away", "nobody's"]
    assert (report.named, report.embedded) == (6, 0)


async def test_a_user_may_choose_and_the_choice_lasts(own: GraphConnection) -> None:
    await index_graph(own, naming_overrides={"Person": "full_name"})
    report = await index_graph(own, naming_overrides={"Film": "code"})
    assert {k.label: k.property for k in report.naming if k.label in ("Person", "Film")} == {
        "Person": "full_name",
        "Film": "code",
    }
    assert "Ada Lovelace" in await names(own)
    assert "x1" in await names(own)
    with pytest.raises(InputError, match="no node has label Persn"):
        await index_graph(own, naming_overrides={"Persn": "name"})


async def test_a_unique_number_names_where_no_text_does(own: GraphConnection) -> None:
    await own.run_command("CREATE CONSTRAINT zip_unique FOR (c:City) REQUIRE c.zip IS UNIQUE")
    try:
        await index_graph(own)
        assert {"10115", "10117"} <= set(await names(own))
    finally:
        await own.run_command("DROP CONSTRAINT zip_unique")


_CODED = """
UNWIND range(1, 20) AS number
CREATE (:Outcome {code: 'A' + toString(number), text: 'Recovered in ' + toString(number)}),
  (:Report {title: 'How the winter of ' + toString(number) + ' came',
            about: $long + toString(number)})
"""


@pytest.fixture
async def coded(fill: GraphFiller) -> GraphConnection:
    return await fill(_CODED, is_indexed=False, long="in words " * 20)


async def test_what_people_read_names_nodes_before_a_code(coded: GraphConnection) -> None:
    await coded.run_command("CREATE CONSTRAINT u FOR (o:Outcome) REQUIRE o.code IS UNIQUE")
    try:
        report = await index_graph(coded)
    finally:
        await coded.run_command("DROP CONSTRAINT u")
    assert {kind.label: (kind.property, kind.aliases) for kind in report.naming} == {
        "Outcome": ("text", ("code",)),
        "Report": ("title", ()),  # what is about it is too long
    }


async def test_what_names_nodes_is_no_text_at_the_first_time_either(
    coded: GraphConnection,
) -> None:
    first, second = await index_graph(coded), await index_graph(coded)
    assert first.texts == second.texts
    assert "title" not in [text.property for text in first.texts]


async def test_the_command_shows_what_names_nodes_and_how_to_change_it(
    coded: GraphConnection, tmp_path: Path
) -> None:
    environment = build_environment(NEO4J_URI=coded.uri)
    said = call_trellis(tmp_path, environment, "index", "--no-embeddings").stdout
    assert "Outcome: text, also called by code (20 nodes)" in said
    assert "another property: trellis index --name Outcome=code" in said


_ALIASED = """
CREATE (:Country {name: 'Netherlands', iso: 'NL', also: 'Holland; Low Countries', side: 'right',
                  about: $long + 'a'}),
       (:Country {name: 'United Arab Emirates', iso: 'AE', also: 'UAE', side: 'right',
                  about: $long + 'b'}),
       (:Country {name: 'Belgium', iso: 'BE', side: 'right', names: ['Belgique', 'België']}),
       (:Country {name: 'Chad', side: 'right', names: ['Tchad']})
"""


@pytest.fixture
async def aliased(fill: GraphFiller) -> GraphConnection:
    return await fill(_ALIASED, long="in words " * 20, is_indexed=False)


async def called(connection: GraphConnection, *keys: str) -> dict[str, list[str]]:
    found = await Neo4jGraph(connection).find_by_spelling(keys)
    return {key: [one.node.name for one in those] for key, those in found.items()}


async def test_short_texts_that_tell_nodes_apart_are_aliases(aliased: GraphConnection) -> None:
    report = await index_graph(aliased)
    assert [kind.aliases for kind in report.naming] == [("also", "iso", "names")]
    assert await called(aliased, "holland", "lowcountries", "uae", "nl", "belgie", "right") == {
        "holland": ["Netherlands"],
        "lowcountries": ["Netherlands"],
        "uae": ["United Arab Emirates"],
        "nl": ["Netherlands"],
        "belgie": ["Belgium"],
    }


async def test_aliases_follow_the_graph(aliased: GraphConnection) -> None:
    await index_graph(aliased, TrigramEmbedder())
    await aliased.run_write("MATCH (n {name: 'Chad'}) SET n.names = ['Tshad'], n.name = 'Chad '")
    await aliased.run_write("MATCH (n {name: 'Belgium'}) REMOVE n.names, n.iso")
    report = await index_graph(aliased)
    assert report.embedded == 3  # the name that changed has no vector now, the others keep theirs
    assert set(await called(aliased, "tchad", "be", "belgique", "belgium")) == {"belgium"}


async def test_embeddings_are_made_once_and_again_for_another_embedder(
    own: GraphConnection,
) -> None:
    class OtherEmbedder(CountingEmbedder):
        name = "other"
        dimensions = 32

    first, second, other = CountingEmbedder(), CountingEmbedder(), OtherEmbedder()
    names, kinds = 6, 2 + 5  # of nodes; of relationship types and labels
    assert (await index_graph(own, first)).embedded == names
    assert len(first.texts) == names + kinds
    await index_graph(own, second)
    assert not second.texts
    await own.run_write("MATCH (n:Person {name: 'Bob'}) SET n.name = 'Robert'")
    await index_graph(own, second)
    assert len(second.texts) == 1
    assert (await index_graph(own, other)).embedded == names
    assert len(other.texts) == names + kinds
    (found,) = await Neo4jGraph(own).search_by_vector(other.embed(["Robert"]), 1)
    assert found[0].node.name == "Robert"


@pytest.mark.parametrize(
    ("name", "worded"),
    [
        ("Ada Lovelace", True),
        ("178 Polding_Street", True),
        ("東", True),
        ("1944", False),
        ("WN3 4NL", False),
        ("10305fdb9613b698a9fe8a26", False),
        ("?", False),
        ("X", False),
    ],
)
def test_names_without_a_word_are_not_embedded(name: str, worded: bool) -> None:
    assert has_word(name) is worded


async def test_nothing_of_ours_shows(own: GraphConnection) -> None:
    graph = Neo4jGraph(own)
    before = await graph.schema()
    await index_graph(own, TrigramEmbedder())
    after = await graph.schema()
    assert after.relationships == before.relationships
    assert [(k.label, k.count, k.properties) for k in after.labels] == [
        (k.label, k.count, k.properties) for k in before.labels
    ]
    assert (after.nodes, after.edges) == (before.nodes, before.edges) == (11, 3)
    assert {k.label: k.naming for k in after.labels}["Film"] == "Title"
    ada = (await graph.find_by_key(["ada"]))["ada"][0]
    assert ada.labels == ("Person",)
    (reached,) = await graph.reach_nodes(RelationPath((ada.id,), (Step("AT"),)), "simple", 5)
    assert reached.node.labels == ("Event",)
    assert reached.node.name == reached.node.id  # nothing names it
    around = await graph.neighbourhood([ada.id], 2, edge_budget=100, names=True)
    assert reached.node.id in around.names


async def everything(connection: GraphConnection) -> list[object]:
    """Nodes, relationships, indexes and constraints as they are, ours included."""
    parts = [await connection.read_rows(query) for query in (_EVERY_NODE, _EVERY_RELATIONSHIP)]
    return [*parts, *[await connection.run_command(query) for query in (_INDEXES, _CONSTRAINTS)]]


async def test_remove_takes_everything_off_again(own: GraphConnection) -> None:
    await remove_index(own)
    await own.run_write("MATCH (f:Film) CREATE (:Film {Title: 'Other', code: 'x2'})")
    await own.run_write("UNWIND range(1, 5001) AS i CREATE (:House {address: i + ' Mill Lane'})")
    before = await everything(own)
    await index_graph(own, TrigramEmbedder())
    assert await called(own, "x1") == {"x1": ["Up_and away"]}
    assert await own.run_command(_VALUES_INDEX)
    await remove_index(own)
    assert await everything(own) == before
    with pytest.raises(NotIndexedError, match="trellis index"):
        await Neo4jGraph(own).search_by_text(["Ada"], 1)
    assert await migrate_graph(own)
    assert await migrate_graph(own) == []


async def test_check_says_what_is_missing(clean_graph: GraphConnection) -> None:
    graph = Neo4jGraph(clean_graph)
    with pytest.raises(EmptyGraphError, match="trellis load"):
        await graph.check_ready()
    await clean_graph.run_write("CREATE (:Person {name: 'Ada'})")
    with pytest.raises(NotIndexedError, match="trellis index"):
        await graph.check_ready()
    await index_graph(clean_graph)
    await graph.check_ready()
    status = await graph.read_status()
    assert (status.plugin, status.nodes, status.named, status.indexed) == (True, 1, 1, True)
    assert status.version.startswith(("5.", "20"))


async def test_people_are_found_by_a_family_name_that_several_share(
    clean_graph: GraphConnection,
) -> None:
    people = [("Ann", "Murray", "Sgt"), ("Bob", "Murray", "Sgt"), ("Cid", "Lee", "Sgt")] * 2
    create = "UNWIND $people AS p CREATE (:Person {name: p[0], surname: p[1], rank: p[2]})"
    await clean_graph.run_write(create, people=people)
    report = await index_graph(clean_graph)
    assert [kind.aliases for kind in report.naming if kind.label == "Person"] == [("surname",)]
    assert sorted((await called(clean_graph, "murray"))["murray"]) == ["Ann"] * 2 + ["Bob"] * 2


_MANY = """
UNWIND range(1, 12000) AS i
CREATE (n:Person {name: 'Person ' + i}) SET n.alias = CASE WHEN i % 100 = 0 THEN 'Alias ' + i END
"""
_NAMED = """
MATCH (n:Person) RETURN n.name AS name, n._trellis_name AS named, n._trellis_key AS key,
       n._trellis_also AS also, n._trellis_aliases AS aliases ORDER BY n.name
"""


class StopError(Exception):
    """Breaks indexing off."""


async def test_indexing_goes_on_where_it_was_stopped(clean_graph: GraphConnection) -> None:
    await clean_graph.run_write(_MANY)
    read: list[int] = []

    def stop(stage: str, done: int, total: int | None, note: str = "") -> None:  # noqa: ARG001
        if stage == "names":
            raise StopError

    def count(stage: str, done: int, total: int | None, note: str = "") -> None:  # noqa: ARG001
        if stage == "names":
            read.append(done)

    with pytest.raises(StopError):
        await index_graph(clean_graph, progress=stop)
    assert (await index_graph(clean_graph, progress=count)).named == 12_000
    assert read[0] == 5_000
    assert read[1] < 7_200  # 5,000 were right, and of these only those with aliases came again


async def test_what_is_wrong_is_mended_and_nothing_else_is_read(
    clean_graph: GraphConnection,
) -> None:
    await clean_graph.run_write(_MANY)
    await index_graph(clean_graph)
    right = await clean_graph.read_rows(_NAMED)
    await clean_graph.run_write("MATCH (n:Person {name: 'Person 7'}) SET n.name = 'Ada'")
    await clean_graph.run_write("MATCH (n:Person {name: 'Person 9'}) SET n.alias = 'Bo'")
    await clean_graph.run_write("MATCH (n:Person {name: 'Person 200'}) REMOVE n.alias")
    await index_graph(clean_graph)
    changed = [row for row in await clean_graph.read_rows(_NAMED) if row not in right]
    assert [(row["named"], row["aliases"]) for row in changed] == [
        ("Ada", None),
        ("Person 200", None),
        ("Person 9", ["Bo"]),
    ]
    assert changed[0]["key"] == "ada"


async def test_keys_that_older_rules_made_are_made_anew(clean_graph: GraphConnection) -> None:
    await clean_graph.run_write(_MANY)
    await index_graph(clean_graph)
    await clean_graph.run_write("MATCH (n:Person {name: 'Person 7'}) SET n._trellis_key = 'old'")
    await change_state(clean_graph, named_by=0)
    await index_graph(clean_graph)
    rows = await clean_graph.read_rows("MATCH (n {_trellis_key: 'old'}) RETURN n")
    assert rows == []
    assert (await read_state(clean_graph)).named_by > 0


async def test_a_graph_without_embeddings_is_linked_by_spelling(
    clean_graph: GraphConnection,
) -> None:
    await clean_graph.run_write("CREATE (:Person {name: 'Ada Lovelace'}), (:Person {name: 'Bob'})")
    await index_graph(clean_graph)
    graph = Neo4jGraph(clean_graph)
    [mention] = await link_mentions("Where was Ada Lovelac born?", graph, TrigramEmbedder())
    assert mention.best.node.name == "Ada Lovelace"
    assert await link_mentions("Where was Xyzzy Quux born?", graph, TrigramEmbedder()) == ()
