"""Nodes of one name: answers tell them apart, and a question that means one is asked back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from memory_graph import MemoryGraph
from trellis.domain.errors import UnknownTopicError
from trellis.domain.graphs.facts import Fact
from trellis.domain.graphs.graph import Node, Triple
from trellis.domain.graphs.links import Link, Mention
from trellis.domain.replies.question import Question
from trellis.domain.replies.reply import Answer, Reply
from trellis.domain.structures.cypher import CypherQuery, Rows
from trellis.steps.conclude.namesakes import tell_namesakes
from trellis.steps.conclude.tell_apart import MOST_TOLD_APART, tell_apart
from trellis.steps.ground.queries.bound_queries import BoundQueries
from trellis.steps.link.link import link_question
from trellis.wire.bodies import ReplyBody
from trellis.wire.tables import AnswerTable


def node(number: int, name: str, *labels: str, **properties: object) -> Node:
    return Node(f"4:abc:{number}", name, labels, properties or None)


BRITISH, AMERICAN = node(0, "Cambridge", "City"), node(1, "Cambridge", "City")
KINGDOM, STATES = node(2, "United Kingdom", "Country"), node(3, "United States", "Country")
CAM, CHARLES = node(4, "Cam", "River"), node(5, "Charles", "River")
NODES = (BRITISH, AMERICAN, KINGDOM, STATES, CAM, CHARLES)
GRAPH = MemoryGraph(
    NODES,
    ((0, "IN_COUNTRY", 2), (1, "IN_COUNTRY", 3), (0, "LIES_ON", 4), (1, "LIES_ON", 5)),
)


def reply_to(question: str, mentions: Sequence[Mention], *facts: Fact) -> Reply:
    """A reply whose answers are the last nodes or values of the facts."""
    answers = [
        Answer(
            each.triples[-1].tail if each.triples else Node("", str(each.properties[0].value)),
            0.5,
            (row,),
        )
        for row, each in enumerate(facts)
    ]
    return Reply(question, "gcr", tuple(answers), facts, 0.9, False, tuple(mentions))


async def ask(question: str, *facts: Fact) -> Reply:
    mentions = await link_question(Question(question), GRAPH, None)
    return await tell_namesakes(GRAPH, reply_to(question, mentions, *facts))


POPULATIONS = (
    Fact.of_value(BRITISH, "population", 145_000),
    Fact.of_value(AMERICAN, "population", 118_000),
)
COUNTRIES = (
    Fact.of_triples([Triple(BRITISH, "IN_COUNTRY", KINGDOM)]),
    Fact.of_triples([Triple(AMERICAN, "IN_COUNTRY", STATES)]),
)


@pytest.mark.parametrize(
    ("question", "facts"),
    [
        ("What is the population of Cambridge?", POPULATIONS),
        ("population of Cambridge", POPULATIONS),
        ("In which country does Cambridge lie?", COUNTRIES),
        ("Where is Cambridge?", COUNTRIES),
    ],
)
async def test_a_question_for_one_thing_of_several_of_one_name_is_asked_back(
    question: str, facts: Sequence[Fact]
) -> None:
    reply = await ask(question, *facts)
    assert (reply.answers, reply.abstained) == ((), True)
    assert reply.held_back == "“Cambridge” may mean any of 2 nodes of that name: choose one"
    assert [(it.node, it.distinction) for it in reply.choices] == [
        (BRITISH, "United Kingdom"),
        (AMERICAN, "United States"),
    ]
    assert len(reply.nearest) == 2


async def test_values_say_of_which_of_them_they_are() -> None:
    reply = await ask("What is the population of Cambridge?", *POPULATIONS)
    assert [(it.node.name, it.distinction) for it in reply.nearest] == [
        ("145000", "Cambridge, United Kingdom"),
        ("118000", "Cambridge, United States"),
    ]


async def test_a_question_for_several_things_is_answered_for_each() -> None:
    rivers = (
        Fact.of_triples([Triple(BRITISH, "LIES_ON", CAM)]),
        Fact.of_triples([Triple(AMERICAN, "LIES_ON", CHARLES)]),
    )
    reply = await ask("Which rivers flow through Cambridge?", *rivers)
    assert not reply.abstained
    assert reply.choices == ()
    assert [(it.node.name, it.distinction) for it in reply.answers] == [
        ("Cam", "Cambridge, United Kingdom"),
        ("Charles", "Cambridge, United States"),
    ]


async def test_answers_of_one_name_are_told_apart_by_a_neighbour() -> None:
    facts = (
        Fact.of_triples([Triple(CAM, "FLOWS_THROUGH", BRITISH)]),
        Fact.of_triples([Triple(CHARLES, "FLOWS_THROUGH", AMERICAN)]),
    )
    reply = await ask("Which cities are on a river?", *facts)
    assert [(it.node, it.distinction) for it in reply.answers] == [
        (BRITISH, "United Kingdom"),
        (AMERICAN, "United States"),
    ]


async def test_namesakes_in_the_rows_of_a_table_are_told_apart() -> None:
    rows = Rows(("river", "city"), [(CAM, BRITISH), (CHARLES, [AMERICAN])], False)
    asked = "Which river flows through which city?"
    reply = await tell_namesakes(GRAPH, replace(reply_to(asked, ()), rows=rows))
    table = AnswerTable.of(ReplyBody.of("1", reply))
    assert table is not None
    assert table.write_rows(2) == [
        ["Cam", "Cambridge (United Kingdom)"],
        ["Charles", "Cambridge (United States)"],
    ]


async def test_where_all_answer_the_same_nothing_is_asked_back() -> None:
    facts = (Fact.of_triples([Triple(BRITISH, "IN_COUNTRY", KINGDOM)]),)
    reply = await ask("In which country does Cambridge lie?", *facts)
    assert [answer.node for answer in reply.answers] == [KINGDOM]


@pytest.mark.parametrize(
    ("nodes", "told"),
    [
        ((node(0, "Jordan", "Country"), node(1, "Jordan", "River")), ["Country", "River"]),
        (
            (node(0, "Ann", "P", born=1900), node(1, "Ann", "P", born=1950)),
            ["born 1900", "born 1950"],
        ),
        ((node(0, "Ann", "P"), node(1, "Ann", "P")), ["id 4:abc:0", "id 4:abc:1"]),
    ],
)
async def test_kinds_properties_or_ids_tell_apart(nodes: Sequence[Node], told: list[str]) -> None:
    assert [*(await tell_apart(MemoryGraph(nodes, ()), nodes)).values()] == told


async def test_of_namesakes_by_the_hundred_the_first_are_offered_and_all_are_counted() -> None:
    people = [node(number, "Ann", "Person") for number in range(300)]
    towns = [node(300 + number, f"Town {number}", "Town") for number in range(300)]
    graph = MemoryGraph(
        [*people, *towns], [(number, "LIVES_IN", 300 + number) for number in range(300)]
    )
    facts = [
        Fact.of_triples([Triple(one, "LIVES_IN", town)])
        for one, town in zip(people, towns, strict=True)
    ]
    links = tuple(Link(one, 1.0, "exact-case") for one in people)
    asked = "In which town does Ann live?"
    reply = await tell_namesakes(graph, reply_to(asked, [Mention(19, 22, "Ann", links)], *facts))
    assert len(reply.choices) == MOST_TOLD_APART
    assert reply.held_back.startswith("“Ann” may mean any of 300 nodes of that name (the first 20 ")
    assert reply.choices[0].distinction == "Town 0"


@pytest.mark.parametrize("chosen", [BRITISH, AMERICAN])
async def test_an_id_as_a_topic_says_which_is_meant(chosen: Node) -> None:
    question = "Is Cambridge in the United Kingdom?"
    mentions = await link_question(Question(question, (chosen.id,)), GRAPH, None)
    assert [(it.text, [link.node for link in it.links]) for it in mentions] == [
        ("Cambridge", [chosen]),
        ("United Kingdom", [KINGDOM]),
    ]


async def test_an_id_of_no_node_is_an_error() -> None:
    with pytest.raises(UnknownTopicError, match="no node of the graph has the id 4:abc:99"):
        await link_question(Question("Where is Cambridge?", ("4:abc:99",)), GRAPH, None)


def test_a_query_that_compares_with_its_name_is_about_the_given_node() -> None:
    text = "MATCH (x0:`City`)-[:`IN`]->(x1) WHERE x0.`name` = $v0 AND x1.`name` = $v1\nRETURN x0"
    query = CypherQuery(text, {"v0": "Cambridge", "v1": "United Kingdom"})
    bound = BoundQueries(None, [AMERICAN]).bind(query)  # type: ignore[arg-type]
    assert "WHERE (x0.`name` = $v0 AND elementId(x0) IN $v0_ids) AND x1.`name` = $v1" in bound.text
    assert bound.params == {**query.params, "v0_ids": [AMERICAN.id]}
