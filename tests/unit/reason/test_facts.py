"""Facts read as what they are, whatever their shape."""

from __future__ import annotations

from dataclasses import replace

import pytest

from memory_graph import MemoryGraph
from trellis.domain.graphs.facts import LONGEST_TEXT, MOST_ITEMS, Fact, PropertyFact
from trellis.domain.graphs.graph import Node, Step, Triple, Walk
from trellis.domain.replies.reply import Answer, Finding, GroundedNode, Judgement, Reply
from trellis.steps.ground.verify import verify_judgement
from trellis.wire.answer_text import write_answer_text
from trellis.wire.bodies import ReplyBody
from trellis.wire.evidence import SubgraphBody, write_statement

MOMBASA, KENYA, NAIROBI, UGANDA = (
    Node(name.lower(), name) for name in ("Mombasa", "Kenya", "Nairobi", "Uganda")
)
LIES = Triple(MOMBASA, "IN", KENYA)
CAPITAL = Triple(KENYA, "HAS_CAPITAL", NAIROBI)
BORDERS = Triple(KENYA, "BORDERS", UGANDA)
BACK = Triple(UGANDA, "BORDERS", KENYA)


@pytest.mark.parametrize(
    ("triples", "text"),
    [
        ([CAPITAL], "Kenya -HAS_CAPITAL-> Nairobi"),
        ([LIES, CAPITAL], "Mombasa -IN-> Kenya -HAS_CAPITAL-> Nairobi"),
        ([CAPITAL, LIES], "Nairobi <-HAS_CAPITAL- Kenya <-IN- Mombasa"),
        (
            [LIES, CAPITAL, BORDERS],
            "Mombasa -IN-> Kenya -HAS_CAPITAL-> Nairobi; Kenya -BORDERS-> Uganda",
        ),
        ([BORDERS, BACK], "Kenya -BORDERS-> Uganda -BORDERS-> Kenya"),
        ([Triple(KENYA, "BORDERS", KENYA)], "Kenya -BORDERS-> Kenya"),
        ([], ""),
    ],
    ids=["one", "chain", "chain told from its end", "tree", "cycle", "loop", "none"],
)
def test_relationships_of_any_shape_are_told(triples: list[Triple], text: str) -> None:
    fact = Fact.of_triples(triples)
    assert fact.text == text
    assert fact.triples == tuple(triples)
    assert set(fact.nodes) == {node for triple in triples for node in (triple.head, triple.tail)}


def test_a_walk_is_told_from_its_anchor_and_its_triples_are_never_reversed() -> None:
    fact = Fact.of_walk(Walk((NAIROBI, KENYA), (Step("HAS_CAPITAL", reversed=True),)))
    assert fact.text == "Nairobi <-HAS_CAPITAL- Kenya"
    assert fact.triples == (CAPITAL,)


def test_what_a_property_says_has_no_relationship() -> None:
    fact = Fact.of_value(NAIROBI, "population", 4_400_000)
    assert (fact.text, fact.triples) == ("Nairobi -population-> 4400000", ())


def test_a_value_of_a_megabyte_is_cut_and_says_how_long_it_is() -> None:
    fact = PropertyFact.of(NAIROBI, "story", "x" * 1_000_000)
    assert (len(fact.value), fact.length) == (LONGEST_TEXT, 1_000_000)
    assert fact.text.endswith("xx…” (the beginning of 1,000,000 characters)")
    listed = PropertyFact.of(NAIROBI, "numbers", list(range(1_000)))
    assert (len(listed.value), listed.length) == (MOST_ITEMS, 1_000)
    assert listed.text.endswith(", 99… (cut: 1,000 items in all)")


def test_a_passage_is_a_quote_that_says_where_it_stands() -> None:
    passage = PropertyFact(NAIROBI, "story", "It rains in April.", 2_000, 312)
    assert passage.text == "Nairobi -story-> “…It rains in April.…” (from character 312 of 2,000)"
    last = replace(passage, length=330)
    assert last.value_text == "“…It rains in April.” (from character 312 of 330)"
    assert write_statement(last) == f"The story of Nairobi says: {last.value_text}."
    short = PropertyFact.of(NAIROBI, "motto", "The green city in the sun")
    assert (short.is_text, short.value_text) == (False, "The green city in the sun")


def test_words_of_the_question_are_marked_in_texts_alone() -> None:
    texts = [
        PropertyFact(NAIROBI, "story", "😀 It Rained here; the rain-coat's gone.", 2_000, 312),
        PropertyFact(NAIROBI, "motto", "Rain"),
    ]
    body = SubgraphBody.of(texts, "Where does the rain fall, and who has a coat?")
    marked = [it.said and [it.value[a:b] for a, b in it.said] for it in body.properties]
    assert marked == [["Rained", "rain", "coat"], None]


def test_relationships_and_values_are_told_together_and_sent_as_what_they_are() -> None:
    fact = Fact.of_statements([CAPITAL], [PropertyFact.of(NAIROBI, "area_km2", 12_696.0)])
    assert fact.text == "Kenya -HAS_CAPITAL-> Nairobi; Nairobi -area_km2-> 12696"
    reply = Reply("?", "graphraft", (), (fact,), 0.9, False, fact_total=193)
    body = ReplyBody.of("1", reply)
    assert body.evidence == [("Kenya", "HAS_CAPITAL", "Nairobi"), ("Nairobi", "area_km2", 12696.0)]
    assert body.sentences[1] == "The area of Nairobi is 12,696.0 km²."
    [edge], [value] = body.subgraph.edges, body.subgraph.properties
    assert (edge.fact, value.fact, value.node, value.value) == (0, 1, NAIROBI.id, 12696.0)
    assert "(1 of 193 facts shown)" in write_answer_text(body)


async def test_a_value_that_changed_meanwhile_is_no_evidence() -> None:
    node = Node("0", "Nairobi", (), {"population": 5})
    facts = (Fact.of_value(node, "population", 5), Fact.of_value(node, "population", 4))
    found = [Finding("p", 0.9, tuple(GroundedNode(node, (fact,)) for fact in facts))]
    judged = Judgement((Answer(node, 0.9, (0, 1)),), 0.9)
    graph = MemoryGraph([node], [])
    verified = await verify_judgement(graph, judged, found, facts)
    assert [answer.evidence for answer in verified.answers] == [(0,)]
    assert "1 facts left the graph" in verified.notes[0]
