"""How far places are apart: the nearest, those within a distance, and what has no distance."""

from __future__ import annotations

import pytest

from graph.asking import list_names
from real_neo4j import GraphFiller
from trellis.domain.replies.question import Question
from trellis.domain.replies.reply import Reply
from trellis.domain.structures.cypher import CypherQuery
from trellis.graph.database.connection import GraphConnection
from trellis.graph.gate import Limits, Neo4jQueries
from trellis.graph.indexes.indexing import index_graph
from trellis.graph.neo4j_graph import Neo4jGraph
from trellis.pipelines.distance_reply import DistanceReply
from trellis.steps.ground.connect_nodes import ConnectionSearch

TOWN = """
CREATE
  (:Station {name: 'Central Station', location: point({latitude: 52.0, longitude: 4.0})}),
  (:Station {name: 'Oak Street', location: point({latitude: 52.01, longitude: 4.0})}),
  (:Station {name: 'Elm Road', location: point({latitude: 52.05, longitude: 4.0})}),
  (:Station {name: 'Far Harbour', location: point({latitude: 53.0, longitude: 4.0})}),
  (:Station {name: 'Old Halt'}),
  (:Station {name: 'Map Stop', location: point({x: 1, y: 1})}),
  (bakery:Shop {name: 'Bakery Blue', site: point({latitude: 52.001, longitude: 4.0})}),
  (:Shop {name: 'Cheese Corner', site: point({latitude: 52.03, longitude: 4.0})}),
  (:Shop {name: 'Tea Tower', site: point({latitude: 52.0, longitude: 4.1})}),
  (:Desk {name: 'Desk North', spot: point({x: 0, y: 0})}),
  (:Desk {name: 'Desk East', spot: point({x: 3, y: 4})}),
  (:Desk {name: 'Desk South', spot: point({x: 0, y: -9})}),
  (ann:Clerk {name: 'Ann Lee'}), (:Clerk {name: 'Bob Ray'}), (red:Colour {name: 'Crimson'}),
  (ann)-[:WORKS_IN]->(bakery), (bakery)-[:PAINTED]->(red)
"""


@pytest.fixture
async def town(fill: GraphFiller) -> GraphConnection:
    return await fill(TOWN)


async def try_asking(
    connection: GraphConnection, question: str, *topics: str, hidden: tuple[str, ...] = ()
) -> Reply | None:
    search = ConnectionSearch(Neo4jQueries(connection, Limits()), hidden_labels=hidden)
    asked = Question(question, topics or None)
    return await DistanceReply(Neo4jGraph(connection), search).answer(asked)


async def ask(connection: GraphConnection, question: str, *topics: str) -> Reply:
    reply = await try_asking(connection, question, *topics)
    assert reply is not None
    return reply


async def test_the_nearest_is_another_than_the_place_itself(town: GraphConnection) -> None:
    reply = await ask(town, "Which station is nearest to Central Station?")
    assert list_names(reply) == ["Oak Street"]
    assert reply.reading == "the station nearest to Central Station, as the crow flies"
    assert reply.wording == "Central Station: Oak Street (1.11 km)."
    assert [fact.text for fact in reply.evidence] == [
        "Oak Street -location-> point({srid: 4326, x: 4.0, y: 52.01}); "
        "Central Station -location-> point({srid: 4326, x: 4.0, y: 52.0})"
    ]
    facts = reply.evidence[0].properties
    assert await Neo4jGraph(town).check_properties(facts) == [True, True]
    assert reply.notes == (
        "nothing tells where 1 of 5 stations are; 1 of 5 stations have coordinates of another kind "
        "than Central Station, between which there is no distance",
    )
    assert reply.rows is not None
    assert reply.rows.columns == ("station", "distance in metres")
    assert reply.rows.rows[0][1] == pytest.approx(1113, abs=2)
    assert reply.cypher is not None
    shown = CypherQuery(reply.cypher, reply.params)
    assert (await Neo4jQueries(town, Limits()).run(shown)).rows[0][:4] == (5, 4, 3, 3)


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("List the two stations closest to Central Station.", "Oak Street, Elm Road"),
        ("Which stations are nearest to Central Station?", "Oak Street, Elm Road, Far Harbour"),
        ("Which station is farthest from Central Station?", "Far Harbour"),
        ("What is the distance in miles from Oak Street to Elm Road?", "2.77 miles"),
        ("How far is the nearest shop from Oak Street?", "1 km"),
        ("Which shops are more than 2 miles from Central Station?", "Cheese Corner, Tea Tower"),
        ("Which desks are within 6 of Desk North?", "Desk East"),
    ],
)
async def test_what_is_asked_for_is_given_and_no_more(
    town: GraphConnection, question: str, names: str
) -> None:
    assert ", ".join(list_names(await ask(town, question))) == names


async def test_what_is_nearest_may_be_of_any_kind(town: GraphConnection) -> None:
    reply = await ask(town, "What is nearest to Central Station?")
    assert list_names(reply)[0] == "Bakery Blue"


async def test_all_that_are_equally_near_are_given(town: GraphConnection) -> None:
    await town.run_write(
        "CREATE (:Station {name: 'Oak Twin', location: point({latitude: 52.01, longitude: 4.0})})"
    )
    reply = await ask(town, "Which station is nearest to Central Station?")
    assert set(list_names(reply)) == {"Oak Street", "Oak Twin"}
    assert "2 of these are equally far" in reply.notes


async def test_a_distance_is_a_length_and_no_number(town: GraphConnection) -> None:
    reply = await ask(town, "How far is Oak Street from Central Station?")
    assert (list_names(reply), reply.count) == (["1.11 km"], None)
    assert reply.wording == "Oak Street is 1.11 km from Central Station."
    reply = await ask(town, "How many metres is Bakery Blue from Central Station?")
    assert (list_names(reply), reply.count) == (["111 m"], None)


async def test_what_is_within_a_distance(town: GraphConnection) -> None:
    reply = await ask(town, "Which shops are within 5 km of Central Station?")
    assert list_names(reply) == ["Bakery Blue", "Cheese Corner"]
    assert reply.reading == "shops at most 5 km from Central Station, as the crow flies"
    reply = await ask(town, "How many shops are within 5 km of Central Station?")
    assert reply.count == 2
    reply = await ask(town, "How many shops are within 50 m of Central Station?")
    assert (reply.answers, reply.abstained, reply.count) == ((), False, 0)
    reply = await ask(town, "Is there a shop within 5 km of Central Station?")
    assert (list_names(reply), reply.verdict) == (["yes"], "yes")
    reply = await ask(town, "Is Tea Tower within 5 km of Central Station?")
    assert (list_names(reply), reply.verdict) == ([], "no")
    assert reply.wording == "Tea Tower is 6.85 km from Central Station."


async def test_on_a_plane_distances_have_no_unit(town: GraphConnection) -> None:
    reply = await ask(town, "Which desk is nearest to Desk North?")
    assert (list_names(reply), reply.wording) == (["Desk East"], "Desk North: Desk East (5).")
    unit = "the coordinates tell no unit, so that distances are numbers in whatever unit they have"
    assert reply.notes == (unit,)
    reply = await ask(town, "Which desks are within 6 km of Desk North?")
    assert reply.held_back == unit
    reply = await ask(town, "Which shops are within 6 of Central Station?")
    assert reply.held_back == "say in which unit: m, km or miles"


@pytest.mark.parametrize(
    ("question", "reason"),
    [
        ("How far is Desk North from Oak Street?", "are of two kinds, between which there is no"),
        ("Which desk is nearest to Oak Street?", "3 of 3 desks have coordinates of another kind"),
        ("How far is Old Halt from Oak Street?", "nothing in this graph tells where Old Halt is"),
        ("How far is Ann Lee from Bob Ray?", "where Ann Lee and Bob Ray are"),
        ("Which station is nearest to Ann Lee?", "tells where Ann Lee is"),
        ("Which clerk is nearest to Oak Street?", "tells where clerks are"),
        ("Which station is nearest to Zork Hill?", "nothing in this graph is called “Zork Hill”"),
        ("Which crowded shops are within 5 km of Oak Street?", "“crowded” cannot be asked"),
        ("Which Crimson shops are within 5 km of Oak Street?", "“Crimson” cannot be asked"),
        ("Which shops are not within 5 km of Oak Street?", "“not” cannot be asked"),
        ("Which shop is nearest to Oak Street and Elm Road?", "2 places are named"),
        ("How far is Oak Street from Oak Street?", "two names mean the same node"),
    ],
)
async def test_what_cannot_be_measured_is_held_back(
    town: GraphConnection, question: str, reason: str
) -> None:
    reply = await ask(town, question)
    assert reply.abstained
    assert reason in reply.held_back


async def test_a_name_of_several_places_is_asked_back(town: GraphConnection) -> None:
    await town.run_write(
        "CREATE (:Shop {name: 'Tea Tower', site: point({latitude: 52.9, longitude: 4.0})}), "
        "(:Clerk {name: 'Elm Road'})"
    )
    await index_graph(town)
    reply = await ask(town, "Which station is nearest to Tea Tower?")
    assert len(reply.choices) == 2
    chosen = await ask(town, "Which station is nearest to Tea Tower?", reply.choices[0].node.id)
    assert len(chosen.answers) == 1
    reply = await ask(town, "Which shop is nearest to the station Oak Street?")
    assert list_names(reply) == ["Bakery Blue"]
    reply = await ask(town, "Which shop is nearest to Elm Road?")  # the clerk is nowhere
    assert list_names(reply) == ["Cheese Corner"]


async def test_several_points_of_a_node_are_told_apart_by_name_alone(
    town: GraphConnection,
) -> None:
    await town.run_write("MATCH (s:Shop) SET s.location = point({latitude: 52.2, longitude: 4.0})")
    await index_graph(town)
    reply = await ask(town, "Which shop is nearest to Oak Street?")  # both have a location
    assert len(reply.answers) == 3
    reply = await ask(town, "Which shop is nearest to Bakery Blue?")
    assert reply.held_back is not None
    assert reply.held_back.endswith("not which is meant: location and site")


async def test_other_questions_and_graphs_are_left_to_the_methods(town: GraphConnection) -> None:
    for question in (
        "Who works in Bakery Blue?",
        "Who is the closest relative of Ann Lee?",
        "Which clerk is nearest to Bob Ray?",
        "Which clerks joined within 5 days of Ann Lee?",
    ):
        assert await try_asking(town, question) is None, question
    await town.run_write("MATCH (a:Clerk), (s:Shop) CREATE (s)-[:NEAREST_TO {distance: 5}]->(a)")
    await index_graph(town)
    assert await try_asking(town, "Which shop is nearest to Oak Street?") is None


async def test_a_vague_noun_means_the_label_that_is_called_so(town: GraphConnection) -> None:
    await town.run_write(
        "CREATE (:Place {name: 'Old Mill', at: point({latitude: 52.2, longitude: 4.0})})"
    )
    await index_graph(town)
    reply = await ask(town, "Which place is nearest to Central Station?")
    assert list_names(reply) == ["Old Mill"]


async def test_hidden_kinds_are_not_near(town: GraphConnection) -> None:
    await town.run_write("MATCH (s {name: 'Oak Street'}) SET s:Closed")
    question = "Which station is nearest to Central Station?"
    reply = await try_asking(town, question, hidden=("Closed",))
    assert reply is not None
    assert list_names(reply) == ["Elm Road"]


HARBOURS = """
CREATE (:Harbour {name: 'North Quay', latitude: 52.0, longitude: 4.0}),
       (:Harbour {name: 'South Quay', latitude: 51.9, longitude: 4.0}),
       (:Harbour {name: 'West Quay', latitude: 52, longitude: 2}),
       (:Harbour {name: 'Lost Quay', latitude: 520.0, longitude: 4.0}),
       (:Harbour {name: 'New Quay'}),
       (:Lighthouse {name: 'Grey Light', geoLat: 52.01, geoLng: 4.0, lat_range: 9.5})
"""


async def test_latitudes_and_longitudes_in_numbers_are_places(fill: GraphFiller) -> None:
    harbours = await fill(HARBOURS)
    reply = await ask(harbours, "Which harbours are nearest to North Quay?")
    assert list_names(reply) == ["South Quay", "West Quay"]
    assert reply.wording == "North Quay: South Quay (11.1 km) and West Quay (137 km)."
    assert [fact.text for fact in reply.evidence][:1] == [
        "South Quay -latitude-> 51.9; South Quay -longitude-> 4; "
        "North Quay -latitude-> 52; North Quay -longitude-> 4"
    ]
    facts = reply.evidence[0].properties
    assert await Neo4jGraph(harbours).check_properties(facts) == [True] * 4
    assert reply.notes == ("nothing tells where 2 of 4 harbours are",)
    assert reply.cypher is not None
    reply = await ask(harbours, "How far is Grey Light from North Quay?")
    assert list_names(reply) == ["1.11 km"]
    reply = await ask(harbours, "How far is Lost Quay from North Quay?")
    assert reply.held_back == "nothing in this graph tells where Lost Quay is"
