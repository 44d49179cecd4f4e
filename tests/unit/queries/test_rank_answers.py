"""The second model: what it reads of an answer, and what its word is worth."""

from __future__ import annotations

import math
from typing import Any

import pytest

from judging_models import ToldJudge
from memory_graph import MemoryGraph
from question_forms import make_form
from trellis.domain.graphs.graph import Node
from trellis.domain.graphs.links import Link, Mention, StoredValue
from trellis.domain.replies.reply import Answer, Judgement
from trellis.domain.structures.cypher import CypherQuery, Rows
from trellis.steps.conclude.rank_answers import Ranking, pool_answers, rank_answers
from trellis.steps.describe.describe_answers import RetrievedAnswer, describe_answers
from trellis.steps.ground.queries.run_queries import QueryRun

TRIPLES = [
    ("Ada_Lovelace", "BORN_IN", "London"),
    ("Ada_Lovelace", "KNOWS", "Charles"),
    ("Ada_Lovelace", "KNOWS", "Bob"),
    ("Ada_Lovelace", "KNOWS", "Cleo"),
    ("Ada_Lovelace", "KNOWS", "Mary"),
    ("Mary", "KNOWS", "Ada_Lovelace"),
]
MARY = Mention(9, 13, "Mary", (Link(StoredValue("Entity", "name", "Mary"), 1.0, "exact"),))
GRAPH = MemoryGraph.of(TRIPLES)
ADA, LONDON, CHARLES, BOB = GRAPH.nodes[:4]


def run(text: str, chance: float, *cells: Any, cypher: str = "RETURN") -> QueryRun:
    rows = Rows(("n",), [(cell,) for cell in cells])
    return QueryRun(text, math.log(chance), CypherQuery(cypher), rows)


async def test_an_answer_is_told_by_its_name_its_queries_and_what_is_around_it() -> None:
    found = [
        RetrievedAnswer(ADA, (" list entity knows v0", " list entity")),
        RetrievedAnswer(Node("", "3"), (" n",)),
    ]
    ada, three = await describe_answers(GRAPH, found, [MARY])
    assert ada == (
        "ada lovelace (entity)\n"
        "Found by: list entity knows v0; list entity\n"
        "Facts: knows -> v0, bob and 2 more; knows <- v0; born in -> london"
    )
    assert three == "3 (value)\nFound by: n\nFacts: "


async def test_properties_are_told_but_not_the_name_again() -> None:
    node = Node(ADA.id, ADA.name, ADA.labels, {"name": ADA.name, "birth_year": 1815, "tags": ["a"]})
    [told] = await describe_answers(GRAPH, [RetrievedAnswer(node, ())], [])
    assert told.splitlines()[0] == "ada lovelace (entity); birth year 1815"


async def test_what_has_no_name_is_counted() -> None:
    nodes = [Node("4:1", "4:1", ("Crime",)), Node("4:2", "4:2"), Node("4:3", "Kim")]
    crimes = MemoryGraph(nodes, [(0, "LIKE", 1), (0, "BY", 2), (0, "BY", 1)])
    [told] = await describe_answers(crimes, [RetrievedAnswer(crimes.nodes[0], ())], [])
    assert told == "(crime)\nFound by: \nFacts: by -> kim and 1 more; like -> 1"


async def test_a_hub_is_told_in_few_words() -> None:
    hub = MemoryGraph.of([("Hub", f"KIND_{i % 40}", f"n {i} {'x' * 99}") for i in range(1_000)])
    [told] = await describe_answers(hub, [RetrievedAnswer(hub.nodes[0], ())], [])
    assert len(told) < 1_200


async def test_answers_are_pooled_in_turn_with_all_that_gave_them() -> None:
    runs = [run(" a", 0.5, ADA, LONDON), run(" b", 0.4, LONDON, CHARLES), run(" c", 0.1, 0)]
    found = pool_answers(runs, await GRAPH.schema())
    assert [(one.node, one.patterns) for one in found] == [
        (ADA, (" a",)),
        (LONDON, (" a", " b")),
        (CHARLES, (" b",)),
    ]


async def test_queries_are_believed_as_their_answers_are() -> None:
    runs = [run(" a", 0.6, LONDON), run(" b", 0.3, CHARLES), run(" c", 0.1)]
    judge = ToldJudge("charles")
    form = make_form("who knows Mary?", [MARY], await GRAPH.schema())
    ranking = await rank_answers(judge, GRAPH, form, runs)
    assert ranking.relevance == pytest.approx({LONDON: 0.1, CHARLES: 0.9})
    chances = [one.probability for one in ranking.runs]
    assert sum(chances) == pytest.approx(1.0)
    assert chances[1] / chances[0] == pytest.approx(0.3 * 0.9 / (0.6 * 0.1))
    assert judge.prompts[0].render().startswith("Question: who know")
    assert judge.prompts[0].render().endswith("\nRight:")


async def test_without_a_model_nothing_changes() -> None:
    runs = (run(" a", 0.6, LONDON), run(" b", 0.3, CHARLES))
    ranking = await rank_answers(None, GRAPH, make_form("who?"), runs)
    assert (ranking.runs, dict(ranking.relevance)) == (runs, {})


async def test_where_no_query_gave_an_answer_nothing_is_asked() -> None:
    runs = (run(" a", 0.6), QueryRun(" b", -1.0, CypherQuery(""), problem="refused"))
    ranking = await rank_answers(ToldJudge(), GRAPH, make_form("who?"), runs)
    assert ranking == Ranking(runs)


def test_answers_go_by_relevance_then_name_but_a_sorted_query_keeps_its_order() -> None:
    ranking = Ranking((), {LONDON: 0.2, CHARLES: 0.8})
    judged = Judgement(tuple(Answer(node, 0.9, ()) for node in (BOB, ADA, LONDON, CHARLES)), 0.9)
    told = ranking.order_answers(judged, CypherQuery("MATCH (n) RETURN n"))
    assert [answer.node for answer in told.answers] == [CHARLES, LONDON, ADA, BOB]
    by = CypherQuery("MATCH (n)\nRETURN n\nORDER BY n.age DESC LIMIT 4")
    assert ranking.order_answers(judged, by) == judged
