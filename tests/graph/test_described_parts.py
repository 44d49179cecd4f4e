"""Questions about a node that a part of them describes, by its text, joined with structure."""

from __future__ import annotations

import pytest

from graph.asking import ask_reader
from memory_graph import TrigramEmbedder
from real_neo4j import GraphFiller
from trellis.graph.connection import GraphConnection

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
