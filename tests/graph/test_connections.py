"""How things are connected and what they share: hubs last, and what is no such question."""

from __future__ import annotations

from typing import Any

import pytest

from graph.asking import list_names
from real_neo4j import GraphFiller
from trellis.domain.errors import GraphTimeoutError
from trellis.domain.replies.question import Question
from trellis.domain.replies.reply import Reply
from trellis.domain.structures.cypher import GATE_LIMITS, CypherQuery, QueryLimits, Rows, Verdict
from trellis.graph.database.connection import GraphConnection
from trellis.graph.gate import Limits, Neo4jQueries
from trellis.graph.indexes.indexing import index_graph
from trellis.graph.loading import load_graph
from trellis.graph.neo4j_graph import Neo4jGraph
from trellis.pipelines.connection_reply import ConnectionReply
from trellis.settings import BUNDLED_GRAPH
from trellis.steps.ground.connect_nodes import ConnectionSearch

FILMS = """
CREATE (ann:Person {name: 'Ann Lee'}), (bob:Person {name: 'Bob Ray'}),
  (cid:Person {name: 'Cid Orr'}),
  (dan:Person {name: 'Dan Fox'}), (eva:Person {name: 'Eva May'}), (gus:Person {name: 'Gus Ost'}),
  (ona:Person {name: 'Ona Pal'}), (fay:Person {name: 'Fay Uhl'}),
  (:Person {name: 'Kim Poe', born: 1950}), (:Person {name: 'Kim Poe', born: 1990}),
  (dusk:Film {name: 'Dusk'}), (dawn:Film {name: 'Dawn'}), (noon:Film {name: 'Noon'}),
  (rain:Film {name: 'Rain'}), (drama:Genre {name: 'Drama'}),
  (ann)-[:ACTED_IN]->(dusk), (bob)-[:ACTED_IN]->(dusk), (bob)-[:DIRECTED]->(dusk),
  (bob)-[:ACTED_IN]->(dawn), (cid)-[:ACTED_IN]->(dawn), (cid)-[:RELATED_TO]->(dan),
  (eva)-[:ACTED_IN]->(noon), (noon)-[:HAS_GENRE]->(drama), (dusk)-[:HAS_GENRE]->(drama),
  (dawn)-[:HAS_GENRE]->(drama), (ona)-[:FAN_OF]->(drama), (fay)-[:ACTED_IN]->(rain),
  (gus)-[:ADMIRES]->(ann)
WITH drama UNWIND range(1, 20) AS number
CREATE (:Film {name: 'Film ' + toString(number)})-[:HAS_GENRE]->(drama)
"""


class LateQueries:
    """The Queries port of a database in which nothing ends in time."""

    async def explain(self, query: CypherQuery) -> Verdict:
        return Verdict(bool(query.text))

    async def run(self, query: CypherQuery, limits: QueryLimits = GATE_LIMITS) -> Rows:
        raise GraphTimeoutError(f"{query.text} took more than {limits.seconds} s")


@pytest.fixture
async def films(fill: GraphFiller) -> GraphConnection:
    return await fill(FILMS)


async def ask(connection: GraphConnection, question: str, *topics: str, **search: Any) -> Reply:
    reply = await try_asking(connection, question, *topics, **search)
    assert reply is not None
    return reply


async def try_asking(
    connection: GraphConnection, question: str, *topics: str, hub: int = 10, **search: Any
) -> Reply | None:
    """The reply, if it is such a question. `search`: limits, and what is hidden."""
    queries = Neo4jQueries(connection, Limits())
    answering = ConnectionReply(
        Neo4jGraph(connection), ConnectionSearch(queries, hub=hub, **search)
    )
    return await answering.answer(Question(question, topics or None))


async def test_the_shortest_paths_are_answers_with_their_facts(films: GraphConnection) -> None:
    reply = await ask(films, "How is Ann Lee connected to Bob Ray?")
    assert list_names(reply) == [
        "Ann Lee acted in Dusk; Bob Ray acted in Dusk",
        "Ann Lee acted in Dusk; Bob Ray directed Dusk",
    ]
    assert reply.wording == "Ann Lee and Bob Ray are connected in 2 steps, through Dusk."
    assert reply.reading == "the shortest paths between Ann Lee and Bob Ray, of at most 6 steps"
    assert [fact.text for fact in reply.evidence] == [
        "Ann Lee -ACTED_IN-> Dusk <-ACTED_IN- Bob Ray",
        "Ann Lee -ACTED_IN-> Dusk <-DIRECTED- Bob Ray",
    ]
    assert [answer.evidence for answer in reply.answers] == [(0,), (1,)]
    assert await Neo4jGraph(films).check_triples(reply.triples()) == [True, True, True]
    assert reply.cypher is not None
    shown = CypherQuery(reply.cypher, reply.params)
    assert len((await Neo4jQueries(films, Limits()).run(shown)).rows) == 2


async def test_a_path_without_hubs_comes_before_a_shorter_one_through_a_hub(
    films: GraphConnection,
) -> None:
    reply = await ask(films, "What connects Ann Lee and Cid Orr?")
    assert [len(fact.triples) for fact in reply.evidence] == [4, 4]  # as short as by Drama
    await films.run_write(
        "MATCH (ann {name: 'Ann Lee'}), (drama:Genre) CREATE (ann)-[:FAN_OF]->(drama)"
    )
    reply = await ask(films, "What connects Ann Lee and Cid Orr?")
    assert [fact.text for fact in reply.evidence] == [
        "Ann Lee -ACTED_IN-> Dusk <-ACTED_IN- Bob Ray -ACTED_IN-> Dawn <-ACTED_IN- Cid Orr",
        "Ann Lee -ACTED_IN-> Dusk <-DIRECTED- Bob Ray -ACTED_IN-> Dawn <-ACTED_IN- Cid Orr",
        "Ann Lee -FAN_OF-> Drama <-HAS_GENRE- Dawn <-ACTED_IN- Cid Orr",
    ]
    [note] = reply.notes
    assert note == (
        "the last paths pass, though shorter, through a hub, which joins almost any two nodes: "
        "Drama has 25 relationships"
    )
    assert len((await ask(films, "What connects Ann Lee and Cid Orr?", most_paths=2)).answers) == 2


async def test_a_hub_is_passed_where_there_is_no_other_way_and_told(films: GraphConnection) -> None:
    reply = await ask(films, "How is Eva May connected to Ona Pal?")
    assert reply.wording == (
        "Eva May and Ona Pal are connected in 3 steps, through Noon and Drama."
    )
    assert reply.notes[0].startswith("every path found passes through a hub")
    ends = await ask(films, "How is the genre Drama linked to Eva May?")
    assert ends.notes == ()  # who asks for a hub is not told of it


async def test_where_there_is_no_path_it_is_said(films: GraphConnection) -> None:
    reply = await ask(films, "Is there a connection between Ann Lee and Fay Uhl?")
    assert (reply.answers, reply.abstained, reply.verdict) == ((), False, "no")
    assert reply.wording == "Ann Lee and Fay Uhl are not connected within 6 steps."
    reply = await ask(films, "How is Ann Lee connected to Cid Orr?", most_steps=3)
    assert reply.wording == "Ann Lee and Cid Orr are not connected within 3 steps."
    reply = await ask(films, "Is Ann Lee connected to Gus Ost?")
    assert reply.verdict == "yes"
    assert reply.wording == "Ann Lee and Gus Ost are connected directly: Gus Ost admires Ann Lee."


async def test_a_relation_of_the_graph_keeps_its_own_questions(films: GraphConnection) -> None:
    assert await try_asking(films, "Is Cid Orr related to Dan Fox?") is None
    reply = await ask(films, "How is Cid Orr related to Dan Fox?")
    assert reply.evidence[0].text == "Cid Orr -RELATED_TO-> Dan Fox"
    assert await try_asking(films, "Which films are connected to Drama?") is None
    assert await try_asking(films, "Who acted in Dusk?") is None


async def test_names_that_are_unknown_doubled_or_shared_are_told(films: GraphConnection) -> None:
    reply = await ask(films, "How is Ann Lee connected to Zoltan Quux?")
    assert reply.abstained
    assert reply.held_back == "nothing in this graph is called “Zoltan Quux”"
    reply = await ask(films, "How is Ann Lee connected to Drams?")
    assert reply.notes[0] == "“Drams” was taken for Drama"
    reply = await ask(films, "How is Ann Lee connected to Dramaturgs?")
    assert reply.held_back is not None
    assert reply.held_back.startswith("nothing in this graph is called “Dramaturgs”")
    reply = await ask(films, "How is Ann Lee connected to Ann Lee?")
    assert reply.held_back == "two names mean the same node, Ann Lee: name nodes that differ"
    reply = await ask(films, "How is Kim Poe connected to Ann Lee?")
    assert reply.held_back == "“Kim Poe” may mean any of 2 nodes: choose one"
    assert len(reply.choices) == 2
    chosen = await ask(films, "How is Kim Poe connected to Ann Lee?", reply.choices[1].node.id)
    assert chosen.wording == "Kim Poe and Ann Lee are not connected within 6 steps."
    both = await ask(films, "Is there a path between Kim Poe and Kim Poe?")
    assert both.verdict == "no"


@pytest.mark.parametrize(
    ("question", "hidden"),
    [
        ("Is there a path between Gus Ost and Bob Ray?", {"hidden_types": ("ADMIRES",)}),
        ("Is there a path between Gus Ost and Bob Ray?", {"hidden_labels": ("Film",)}),
        ("Do Ann Lee and Bob Ray share anything?", {"hidden_types": ("ACTED_IN",)}),
        ("Do Ann Lee and Bob Ray share anything?", {"hidden_labels": ("Film",)}),
    ],
)
async def test_hidden_kinds_connect_nothing(
    films: GraphConnection, question: str, hidden: dict[str, tuple[str, ...]]
) -> None:
    assert (await ask(films, question, **hidden)).verdict == "no"


@pytest.mark.parametrize(
    ("question", "reason"),
    [
        ("How is Ann Lee connected to Bob Ray?", "no path was found in the time there was"),
        (
            "What do Ann Lee and Bob Ray share?",
            "what they have in common was not found in the time there was",
        ),
    ],
)
async def test_a_search_that_takes_too_long_claims_nothing(
    films: GraphConnection, question: str, reason: str
) -> None:
    search = ConnectionSearch(LateQueries())
    reply = await ConnectionReply(Neo4jGraph(films), search).answer(Question(question))
    assert reply is not None
    assert reply.abstained
    assert reply.held_back == reason


async def test_what_two_share_is_what_both_are_related_to_the_rarest_first(
    films: GraphConnection,
) -> None:
    await films.run_write(
        "MATCH (drama:Genre), (ann {name: 'Ann Lee'}), (bob {name: 'Bob Ray'}) "
        "CREATE (ann)-[:FAN_OF]->(drama), (bob)-[:FAN_OF]->(drama), (bob)-[:FAN_OF]->(drama), "
        "(ann)-[:ADMIRES]->(bob)"
    )
    reply = await ask(films, "What do Ann Lee and Bob Ray have in common?")
    assert list_names(reply) == ["Dusk", "Drama"]
    assert [fact.text for fact in reply.evidence] == [
        "Ann Lee -ACTED_IN-> Dusk",
        "Bob Ray -ACTED_IN-> Dusk",
        "Bob Ray -DIRECTED-> Dusk",
        "Ann Lee -FAN_OF-> Drama",
        "Bob Ray -FAN_OF-> Drama",
    ]
    assert [answer.evidence for answer in reply.answers] == [(0, 1, 2), (3, 4)]
    assert reply.wording == "Ann Lee and Bob Ray have 2 things in common: Dusk and Drama."
    assert reply.reading == "what is related directly to both Ann Lee and Bob Ray"
    assert reply.notes == (
        "hubs come last, for almost any two nodes share one: Drama has 27 relationships",
    )
    assert reply.cypher is not None
    shown = CypherQuery(reply.cypher, reply.params)
    assert len((await Neo4jQueries(films, Limits()).run(shown)).rows) == 2
    reply = await ask(films, "What does Ann Lee share with Bob Ray?", most_paths=1)
    assert (list_names(reply), reply.total) == (["Dusk"], 2)
    assert reply.wording == "Ann Lee and Bob Ray have 2 things in common, among them Dusk."
    reply = await ask(films, "Which things do Ann Lee, Bob Ray and Ona Pal share?")
    assert reply.wording == "Ann Lee, Bob Ray and Ona Pal have one thing in common: Drama."
    reply = await ask(films, "Do Ann Lee and Bob Ray have anything in common?")
    assert (reply.verdict, len(reply.answers), len(reply.evidence)) == ("yes", 1, 5)


async def test_where_nothing_is_shared_it_is_said(films: GraphConnection) -> None:
    reply = await ask(films, "What have Ann Lee and Cid Orr in common?")
    assert (reply.answers, reply.abstained, reply.verdict) == ((), False, None)
    assert reply.wording == (
        "Ann Lee and Cid Orr have nothing in common, as far as one step from each goes."
    )
    reply = await ask(films, "Do Ann Lee and Zoltan Quux have anything in common?")
    assert reply.held_back == "nothing in this graph is called “Zoltan Quux”"


async def test_a_relation_that_is_called_sharing_keeps_its_questions(
    films: GraphConnection,
) -> None:
    await films.run_write("MATCH (a {name: 'Ann Lee'}), (f:Film) CREATE (a)-[:SHARES]->(f)")
    await index_graph(films)
    assert await try_asking(films, "What does Ann Lee share with Bob Ray?") is None
    reply = await ask(films, "What do Ann Lee and Bob Ray have in common?")
    assert "Dusk" in list_names(reply)
    assert await try_asking(films, "Which films do Ann Lee and Bob Ray have in common?") is None


async def test_of_several_names_each_two_are_connected(films: GraphConnection) -> None:
    reply = await ask(films, "How are Ann Lee, Cid Orr and Fay Uhl related?")
    assert reply.wording == (
        "Ann Lee and Cid Orr are connected in 4 steps, through Dusk, Bob Ray and Dawn. "
        "Ann Lee and Fay Uhl are not connected within 6 steps. "
        "Cid Orr and Fay Uhl are not connected within 6 steps."
    )
    assert reply.reading == (
        "the shortest paths between each two of Ann Lee, Cid Orr and Fay Uhl, of at most 6 steps"
    )
    assert reply.cypher is None
    whether = await ask(films, "Are Ann Lee, Cid Orr and Fay Uhl connected?")
    assert (whether.verdict, whether.answers, whether.wording) == ("no", (), reply.wording)
    reply = await ask(films, "How are Eva May, Ona Pal and Bob Ray connected?")
    assert reply.notes[0].startswith("Eva May and Ona Pal: every path found passes through a hub")
    many = await ask(films, "How are Ann Lee, Bob Ray, Cid Orr, Dan Fox and Eva May connected?")
    assert many.held_back == "5 names are given: name at most 4 to be connected"


async def test_the_bundled_atlas_is_connected(clean_graph: GraphConnection) -> None:
    await load_graph(clean_graph, BUNDLED_GRAPH)
    await index_graph(clean_graph)
    reply = await ask(clean_graph, "What is the relationship between Vienna and Budapest?", hub=200)
    assert reply.wording == "Vienna and Budapest are connected in 2 steps, through Danube."
    assert len({fact.nodes for fact in reply.evidence}) == len(reply.evidence)
    reply = await ask(clean_graph, "how are germany and france related", hub=200)
    assert reply.wording is not None
    assert reply.wording.startswith("Germany and France are connected directly")
    assert {len(fact.triples) for fact in reply.evidence} == {1, 2}
    assert await try_asking(clean_graph, "Which countries are connected by the Rhine?") is None
    reply = await ask(clean_graph, "How is Luxembourg related to Belgium?")
    assert {choice.distinction for choice in reply.choices} == {"Country", "City"}
    reply = await ask(clean_graph, "How is the country Luxembourg related to Belgium?")
    assert {node.labels for fact in reply.evidence[:1] for node in fact.nodes} == {("Country",)}
    reply = await ask(clean_graph, "What do Vienna and Budapest share?", hub=200)
    assert "Danube" in list_names(reply)
    reply = await ask(clean_graph, "What do Kenya and Mali have in common?", hub=200)
    assert reply.wording == (
        "Kenya and Mali have 3 things in common: Africa, African Union and United Nations."
    )
    reply = await ask(clean_graph, "What do France and Germany share?", hub=200)
    [luxembourg] = [each for each in reply.answers if each.node.name == "Luxembourg"]
    assert [reply.evidence[row].text for row in luxembourg.evidence] == [
        "France -BORDERS-> Luxembourg",
        "Germany -BORDERS-> Luxembourg",
    ]
    reply = await ask(clean_graph, "How are Japan, Chad and Peru related?", hub=200)
    assert {fact.nodes[0].name for fact in reply.evidence} == {"Japan", "Chad"}
    for question in (
        "Which rivers do France and Germany share?",
        "Which lakes are shared by Kenya and Uganda?",
        "Do Kenya and Uganda share a border?",
        "What language do Kenya and Uganda have in common?",
    ):
        assert await try_asking(clean_graph, question) is None
