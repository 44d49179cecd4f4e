"""The shipped reader over graphs that it never saw: every method answers inside the graph, a
relation of one direction is read in no other, and values are found as imports leave them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from graph.asking import ask_reader, list_names, opening_reader
from memory_app import open_client
from real_neo4j import GraphFiller
from trellis.api.app import create_app
from trellis.app.trellis_app import TrellisApp
from trellis.automata.cypher.meaning.rendering import render_query
from trellis.domain.replies.question import Question
from trellis.domain.structures.cypher import CypherQuery
from trellis.graph.database.connection import GraphConnection
from trellis.graph.gate import Limits, Neo4jQueries
from trellis.graph.neo4j_graph import Neo4jGraph
from trellis.methods import METHODS
from trellis.settings import Settings
from trellis.steps.describe.queries.read_meaning import read_meaning
from trellis.steps.link.values.link_wide import link_wide_values

PRESS = """
CREATE (ann:Novelist {name: 'Ann Sorel'}), (bo:Novelist {name: 'Bo Lind'}),
       (dusk:Novel {name: 'Dusk Harbour'}), (dawn:Novel {name: 'Dawn Ferry'}),
       (oslo:Town {name: 'Oslo'}), (turku:Town {name: 'Turku'}),
       (ann)-[:WROTE]->(dusk), (bo)-[:WROTE]->(dawn),
       (ann)-[:BORN_IN]->(oslo), (bo)-[:BORN_IN]->(turku), (ann)-[:MARRIED_TO]->(bo)
"""
CLAIM = "Ann Sorel was born in Oslo."
OFFICE = """
CREATE (ann:Clerk {name: 'Ann Sorel'}), (bo:Clerk {name: 'Bo Lind'}), (cy:Clerk {name: 'Cy Marsh'}),
  (di:Clerk {name: 'Di Orban'}), (oslo:Town {name: 'Oslo'}), (turku:Town {name: 'Turku'}),
  (ann)-[:LIVES_IN]->(oslo), (bo)-[:LIVES_IN]->(turku), (cy)-[:LIVES_IN]->(oslo),
  (ann)-[:REPORTS_TO]->(bo), (cy)-[:SUCCEEDED]->(di), (ann)-[:MARRIED_TO]->(di),
  (di)-[:FOLLOWS]->(bo), (oslo)-[:TWINNED_WITH]->(turku)
"""


async def test_all_five_methods_answer_and_are_listed(
    fill: GraphFiller, graph_settings: Settings, tmp_path: Path
) -> None:
    await fill(PRESS)
    store = f"sqlite+aiosqlite:///{tmp_path}/answers.db"
    more = {"store_url": store, "model": "reader", "cache": tmp_path, "question_timeout": 600}
    async with open_client(create_app(graph_settings.model_copy(update=more))) as client:
        listed = {each["name"]: each for each in (await client.get("/v1/methods")).json()}
        replies = {}
        for method in METHODS:
            asked = {"question": "Who wrote Dusk Harbour?", "method": method}
            replies[method] = (await client.post("/v1/questions", json=asked)).json()
        chosen = await client.post("/v1/questions", json={"question": "Who wrote Dusk Harbour?"})
        verdict = (await client.post("/v1/claims", json={"claim": CLAIM})).json()
    assert {name: listed[name]["ready"] for name in METHODS} == dict.fromkeys(METHODS, True)
    assert listed["stem"]["models"].keys() >= {"assertion", "schema_graph"}
    found = {
        method: [answer["name"] for answer in reply["answers"]] for method, reply in replies.items()
    }
    assert found == {method: ["Ann Sorel"] for method in METHODS}
    told = chosen.json()["chosen"]
    asked = {*(each["method"] for each in told["methods"]), *told["skipped"]}
    assert asked == {"graphraft", "gcr"}  # the others say the same walks
    assert verdict["verdict"] == "supported"


@pytest.fixture(scope="module")
async def office(
    fill: GraphFiller, graph_settings: Settings, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[TrellisApp]:
    await fill(OFFICE)
    folder = tmp_path_factory.mktemp("office")
    async with opening_reader(graph_settings, folder, cache=folder) as opened:
        yield opened


@pytest.mark.slow
@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("Who does Ann Sorel report to?", "Bo Lind"),
        ("Who reports to Bo Lind?", "Ann Sorel"),
        ("Who succeeded Di Orban?", "Cy Marsh"),
        ("Who follows Bo Lind?", "Di Orban"),
        ("Who is Ann Sorel married to?", "Di Orban"),
        ("Who is Di Orban married to?", "Ann Sorel"),
        ("Which town is Turku twinned with?", "Oslo"),
        ("Which town is twinned with Oslo?", "Turku"),
    ],
)
async def test_what_is_there_is_answered(office: TrellisApp, question: str, name: str) -> None:
    assert list_names(await office.answer(Question(question))) == [name]


@pytest.mark.slow
@pytest.mark.parametrize(
    "question",
    ["Who reports to Ann Sorel?", "Who succeeded Cy Marsh?", "Who follows Di Orban?"],
)
async def test_the_other_way_round_is_no_answer(office: TrellisApp, question: str) -> None:
    reply = await office.answer(Question(question), "gcr")
    assert not reply.answers
    assert reply.held_back.startswith("the graph has it only the other way round")
    assert not (await office.answer(Question(question))).answers


GARDEN = """
CREATE (f:Plant {name: 'Fern', habitats: ['forest', 'bog'], height: '95', evergreen: 'N'}),
       (p:Plant {name: 'Pine', habitats: ['forest', 'dune', 'heath'], height: '2400.5',
                 evergreen: 'Y'}),
       (r:Plant {name: 'Rush', habitats: ['bog'], height: '110', evergreen: 'Y'}),
       (m:Plant {name: 'Moss', habitats: ['roof'], height: '3', evergreen: 'N'}),
       (a:Gardener {name: 'Ines Wold', age: 30}), (b:Gardener {name: 'Tom Ard', age: 60}),
       (q:Theme {name: 'Quiet corner'}), (c:Theme {name: 'Quiet Corner'}),
       (v:Guide {title: 'Long Hedge, The'}),
       (a)-[:PLANTED {year: 2001}]->(f), (a)-[:PLANTED {year: 2009}]->(f), (b)-[:PLANTED]->(f),
       (f)-[:SUITS]->(q), (r)-[:SUITS]->(c)
"""


@pytest.fixture
async def garden(fill: GraphFiller) -> GraphConnection:
    return await fill(GARDEN)


@pytest.mark.parametrize(
    ("question", "linked"),
    [
        ("Which plants have the habitat bog?", {("habitats", "bog")}),
        ("Who wrote The Long Hedge?", {("title", "Long Hedge, The")}),
        ("What suits a quiet corner?", {("name", "Quiet corner"), ("name", "Quiet Corner")}),
    ],
)
async def test_values_are_linked_however_they_are_stored(
    garden: GraphConnection, question: str, linked: set[tuple[str, str]]
) -> None:
    mentions = await link_wide_values(question, Neo4jGraph(garden), None)
    links = [link.stored for mention in mentions for link in mention.links]
    assert linked <= {(stored.property, str(stored.value)) for stored in links}


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("Which plants have the habitat bog?", {"Fern", "Rush"}),
        ("How many plants have the habitat forest?", {"2"}),
        ("Which plant has the greatest height?", {"Pine"}),
        ("Which plants have a height of more than 100?", {"Pine", "Rush"}),
        ("What is the average height of the plants?", {"652.125"}),
        ("Which plants are evergreen?", {"Pine", "Rush"}),
        ("Which plants are not evergreen?", {"Fern", "Moss"}),
        ("Is Fern evergreen?", {"no"}),
    ],
)
async def test_the_reader_asks_for_them_as_if_they_had_types(
    garden: GraphConnection, question: str, answers: set[str]
) -> None:
    reply = await ask_reader(garden, question)
    assert set(list_names(reply)) == answers, reply.reading


@pytest.mark.parametrize(
    ("asked", "value"),
    [
        ("MATCH (g:Gardener)-[:PLANTED]->(p:Plant {name: 'Fern'}) RETURN avg(g.age)", 45),
        ("MATCH (g:Gardener)-[:PLANTED]->(p:Plant {name: 'Fern'}) RETURN sum(g.age)", 90),
        ("MATCH (g:Gardener)-[r:PLANTED]->(:Plant) RETURN max(r.year)", 2009),
        ("MATCH (g:Gardener) RETURN avg(g.age)", 45),
    ],
)
async def test_a_node_that_is_matched_twice_counts_once(
    garden: GraphConnection, asked: str, value: float
) -> None:
    meaning = read_meaning(CypherQuery(asked))
    assert meaning
    [query] = render_query(meaning.graph, meaning.values)
    rows = await Neo4jQueries(garden, Limits()).run(query)
    assert [*rows.rows] == [(value,)]
    assert read_meaning(query) == meaning
