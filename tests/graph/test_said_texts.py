"""Questions for nodes whose texts say something, and about a node that a part of them describes."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from graph.asking import ask_reader, list_names
from memory_graph import TrigramEmbedder
from question_forms import make_form
from real_neo4j import GraphFiller
from trellis.domain.graphs.links import Mention
from trellis.domain.replies.events import ignore_event
from trellis.domain.replies.question import Question
from trellis.domain.replies.reply import Reply
from trellis.graph.database.connection import GraphConnection
from trellis.graph.indexes.indexing import index_graph
from trellis.graph.neo4j_graph import Neo4jGraph
from trellis.pipelines.record import Record
from trellis.pipelines.said_reply import SaidReply
from trellis.steps.link.values.link_wide import link_wide_values

GOLD = "Pays for teeth, glasses and hospitals. Emergency assistance is there at any hour."
SILVER = "Pays for glasses. In emergencies it assists you, and it has no care of teeth."
BASIC = "Pays for hospitals alone, without any dental care or help abroad in need."
TRAVEL = "Emergency  assistance and a flight home, for all who fell ill on a journey."
PLANS = f"""
CREATE (alba:Insurer {{name: 'Alba'}}), (boreal:Insurer {{name: 'Boreal'}}),
  (oslo:City {{name: 'Oslo'}}), (boreal)-[:SEATED_IN]->(oslo),
  (:Plan {{name: 'Gold', tier: 'premium', terms: '{GOLD}'}})-[:SOLD_BY]->(alba),
  (:Plan {{name: 'Silver', tier: 'premium', terms: '{SILVER}'}})-[:SOLD_BY]->(alba),
  (:Plan {{name: 'Basic', tier: 'starter', terms: '{BASIC}'}})-[:SOLD_BY]->(boreal),
  (:Plan {{name: 'Travel', tier: 'starter', terms: '{TRAVEL}',
           summary: 'Home again, with a doctor at your side.'}})-[:SOLD_BY]->(boreal),
  (:Plan {{name: 'Night', tier: 'starter', terms: 'Of nothing but sleep, for those who have none.',
           summary: 'Teeth are not paid for by this plan here.'}})-[:SOLD_BY]->(boreal)
"""


@pytest.fixture
async def plans(fill: GraphFiller) -> GraphConnection:
    return await fill(PLANS)


async def try_asking(connection: GraphConnection, question: str) -> Reply | None:
    graph = Neo4jGraph(connection)
    mentions: Sequence[Mention] = await link_wide_values(question, graph, None)
    form = make_form(question, mentions, await graph.schema())
    record = Record(Question(question), "x", mentions)
    return await SaidReply(graph).answer(record, form, ignore_event)


async def ask(connection: GraphConnection, question: str) -> Reply:
    reply = await try_asking(connection, question)
    assert reply is not None
    return reply


async def test_all_nodes_whose_texts_say_it_are_given_with_the_place(
    plans: GraphConnection,
) -> None:
    reply = await ask(plans, "Which plans mention emergency assistance?")
    assert set(list_names(reply)) == {"Gold", "Travel"}
    assert reply.reading == "plans whose summary or terms says “emergency assistance”"
    [gold] = [answer for answer in reply.answers if answer.node.name == "Gold"]
    fact = reply.evidence[gold.evidence[0]].properties[0]
    start = GOLD.index("Emergency")
    assert (fact.key, fact.value, fact.start, fact.length) == (
        "terms",
        GOLD[start:],
        start,
        len(GOLD),
    )
    facts = [each for evidence in reply.evidence for each in evidence.properties]
    assert await Neo4jGraph(plans).check_properties(facts) == [True, True]


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("How many plans mention glasses?", ["Gold", "Silver"]),
        ("plans whose terms mention teeth", ["Gold", "Silver"]),
        ("plans whose summary mentions teeth", ["Night"]),
        ("Which plans mention teeth?", ["Gold", "Night", "Silver"]),
        ("Which plans mention teeth and hospitals?", ["Gold"]),
        ("Which plans mention flights or sleep?", ["Night", "Travel"]),
        ("Which plans mention teeth in their summary?", ["Night"]),
        ("Which plans sold by Alba mention emergency assistance?", ["Gold"]),
        ("Which Boreal plans contain “assistance”?", ["Travel"]),
        ("Which plans of the insurer boreal mention hospitals?", ["Basic"]),
        ("Which plans from Oslo mention hospitals?", ["Basic"]),
    ],
)
async def test_what_is_asked_for_is_given_and_no_more(
    plans: GraphConnection, question: str, names: list[str]
) -> None:
    assert sorted(list_names(await ask(plans, question))) == names


async def test_a_number_is_that_of_all_nodes(plans: GraphConnection) -> None:
    assert (await ask(plans, "How many plans mention teeth?")).count == 3


async def test_a_name_is_shown_by_what_joins_it(plans: GraphConnection) -> None:
    reply = await ask(plans, "Which plans sold by Alba mention emergency assistance?")
    triples = [triple for fact in reply.evidence for triple in fact.triples]
    assert [(t.head.name, t.relation, t.tail.name) for t in triples] == [
        ("Gold", "SOLD_BY", "Alba")
    ]
    assert [mention.text for mention in reply.mentions] == ["Alba"]
    assert "related to Alba" in reply.reading


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Which plans mention a lighthouse?", "no text of plans says “lighthouse”"),
        ("Which plans describe pets or pianos?", "no text of plans says “pets” or “pianos”"),
        (
            "Which plans sold by Alba mention sleep?",
            "no text of plans related to Alba says “sleep”",
        ),
        ("Which plans do not mention teeth?", "texts are not searched for what they do not say"),
    ],
)
async def test_what_no_text_says_is_held_back(
    plans: GraphConnection, question: str, said: str
) -> None:
    reply = await ask(plans, question)
    assert (reply.answers, reply.abstained, reply.held_back) == ((), True, said)


@pytest.mark.parametrize(
    "question",
    [
        "Which insurers mention teeth?",  # they have no texts
        "Which cheap plans mention teeth?",  # `cheap` is said by nothing
        "Which plans for hikers mention teeth?",
        "What does the plan Gold say about teeth?",
        "Which plans are sold by Alba?",
    ],
)
async def test_other_questions_are_left_to_others(plans: GraphConnection, question: str) -> None:
    assert await try_asking(plans, question) is None


async def test_a_relation_of_the_schema_wins(plans: GraphConnection) -> None:
    await plans.run_write(
        "MATCH (n:Plan {name: 'Gold'}) CREATE (n)-[:MENTIONS]->(:Topic {name: 'teeth'})"
    )
    await index_graph(plans)
    assert await try_asking(plans, "Which plans mention teeth?") is None
    reply = await ask(plans, "Which plans contain teeth?")
    assert sorted(list_names(reply)) == ["Gold", "Night", "Silver"]


LAMP = "A folding reading lamp with a warm light that clips onto the spine of a book."
EMBEDDER = TrigramEmbedder()
SHOP = f"""
CREATE (nord:Brand {{name: 'Nordlys'}}), (sol:Brand {{name: 'Solheim'}}),
  (oslo:City {{name: 'Oslo'}}), (nord)-[:BASED_IN]->(oslo),
  (:Product {{name: 'Clip One', description: '{LAMP}'}})-[:MADE_BY]->(nord),
  (:Product {{name: 'Piper', description:
    'A copper kettle for a gas stove that whistles when the water boils.'}})-[:MADE_BY]->(sol),
  (:Product {{name: 'Clip Two', description:
    'A folding reading lamp that clips onto a book, with a cold light.'}})-[:MADE_BY]->(sol),
  (:Product {{name: 'Storm Two', description:
    'A tent for two hikers that stands in a storm and weighs little.'}})-[:MADE_BY]->(nord),
  (:Product {{name: 'Twig', description:
    'A stove for hikers that burns twigs and dry leaves instead of gas.'}})
"""


@pytest.fixture
async def shop(fill: GraphFiller) -> GraphConnection:
    return await fill(SHOP, EMBEDDER)


async def test_what_is_related_to_a_described_node_is_answered(shop: GraphConnection) -> None:
    part = "the folding lamp that clips onto a book"
    question = f"Which brand made {part}?"
    reply = await ask_reader(shop, question, EMBEDDER)
    [answer] = reply.answers
    assert (reply.question, answer.node.name) == (question, "Nordlys")
    assert "Clip One" in reply.params.values()
    [described] = [mention for mention in reply.mentions if mention.text == part]
    assert question[described.start : described.end] == part
    facts = [reply.evidence[row] for row in answer.evidence]
    assert [fact.key for each in facts for fact in each.properties] == ["description"]
    assert [t.tail.name for each in facts for t in each.triples] == ["Nordlys"]
    assert f"“{part}” was taken for Clip One, by its text" in reply.notes
    assert reply.confidence < 1


async def test_a_plural_means_all_nodes_that_are_described(shop: GraphConnection) -> None:
    part = "folding lamps that clip onto a book"
    reply = await ask_reader(shop, f"Which brands made {part}?", EMBEDDER)
    assert {answer.node.name for answer in reply.answers} == {"Nordlys", "Solheim"}
    assert "IN $d0" in str(reply.cypher)
    assert len(reply.params["d0"]) == 2  # type: ignore[arg-type]
    assert f"“{part}” was taken for Clip Two and Clip One, by their texts" in reply.notes
    assert part in reply.reading
    for answer in reply.answers:
        facts = [reply.evidence[row] for row in answer.evidence]
        described = {each.node.name for fact in facts for each in fact.properties}
        assert described == {"Nordlys": {"Clip One"}, "Solheim": {"Clip Two"}}[answer.node.name]


@pytest.mark.parametrize(
    "question",
    [
        "Which brand made the jukebox of Quebec?",  # nothing is like it
        "Which brand made the stove that burns twigs and leaves for hikers?",  # it has none
    ],
)
async def test_without_such_a_node_or_relation_nothing_is_claimed(
    shop: GraphConnection, question: str
) -> None:
    assert not (await ask_reader(shop, question, EMBEDDER)).answers
