"""What a reply says beside its answers: verified facts, counts, what was cut."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from memory_app import MemoryGraph, WordModel
from memory_graph import MemoryGraph as SpellingGraph
from trellis.domain.graphs.graph import Triple
from trellis.domain.replies.question import Question, asks_for_number
from trellis.domain.replies.reply import Reply
from trellis.pipelines.gcr import Gcr
from trellis.steps.retrieve.paths.settings import PathSettings

SETTINGS = WordModel.card.settings(PathSettings)
CITIES = [("France", "HAS_CITY", f"City {number:03}") for number in range(150)]


class Changing(MemoryGraph):
    """A graph that loses some triples between grounding and the answer."""

    def __init__(self, triples: Sequence[tuple[str, str, str]], *lost: tuple[str, str, str]):
        super().__init__(triples)
        self.lost = lost

    async def check_triples(self, triples: Sequence[Triple]) -> Sequence[bool]:
        found = await super().check_triples(triples)
        kept = ((it.head.name, it.relation, it.tail.name) not in self.lost for it in triples)
        return [is_there and is_kept for is_there, is_kept in zip(found, kept, strict=True)]


async def asked(graph: MemoryGraph, question: str, **more: int) -> Reply:
    gcr = Gcr(graph, WordModel(), SETTINGS, answer_limit=more.pop("answer_limit", 1_000))
    return await gcr.answer(Question(question, **more))


async def test_facts_that_are_gone_by_then_are_no_evidence_and_their_answers_no_answers() -> None:
    reply = await asked(Changing(CITIES[:3], CITIES[1]), "Which city does France have?")
    assert [answer.node.name for answer in reply.answers] == ["City 000", "City 002"]
    assert {t.tail.name for t in reply.triples()} == {"City 000", "City 002"}
    assert "1 facts left the graph while the question was answered, and 1 answers" in reply.notes[0]


async def test_where_all_facts_are_gone_it_abstains() -> None:
    reply = await asked(Changing(CITIES[:1], CITIES[0]), "Which city does France have?")
    assert (reply.abstained, reply.answers, reply.evidence) == (True, (), ())


async def test_an_answer_shown_by_two_paths_stands_by_the_one_that_is_left() -> None:
    triples = [("France", "HAS_CITY", "Paris"), ("France", "HAS_CAPITAL_CITY", "Paris")]
    reply = await asked(Changing(triples, triples[1]), "Which city does France have?")
    assert [answer.node.name for answer in reply.answers] == ["Paris"]
    assert [t.relation for t in reply.triples()] == ["HAS_CITY"]


async def test_a_number_is_that_of_the_whole_set_with_a_hundred_facts_of_it() -> None:
    reply = await asked(MemoryGraph(CITIES), "How many city nodes does France have?", limit=140)
    assert (reply.count, len(reply.answers), len(reply.triples())) == (150, 140, 100)
    assert reply.fact_total == 140
    assert reply.notes == ("100 of 140 facts are shown",)
    assert all(max(answer.evidence, default=0) < 100 for answer in reply.answers)


async def test_a_set_that_is_not_counted_has_all_its_facts() -> None:
    reply = await asked(MemoryGraph(CITIES), "Which city does France have?")
    assert (reply.count, len(reply.answers), len(reply.triples())) == (None, 150, 150)


async def test_a_set_that_may_be_larger_than_what_is_taken_is_told() -> None:
    reply = await asked(MemoryGraph(CITIES), "Which city does France have?", answer_limit=20)
    assert len(reply.answers) == 20
    assert "grounding stopped at 20 rows of a path" in reply.notes[0]


async def test_where_nothing_is_known_the_names_most_like_it_are_told() -> None:
    graph = SpellingGraph.of([("France", "HAS_CITY", "Paris"), ("Chad", "HAS_CITY", "Abéché")])
    reply = await Gcr(graph, WordModel(), SETTINGS).answer(Question("which city does framcia have"))
    assert (reply.abstained, reply.mentions) == (True, ())
    assert [link.node.name for link in reply.similar_nodes] == ["France"]


async def test_an_answer_that_leaves_out_what_the_question_says_is_held_back_once() -> None:
    reply = await asked(MemoryGraph(CITIES[:3]), "Which city does France not have?")
    assert reply.held_back.startswith("the question says “not”")
    assert reply.notes == (reply.held_back,)
    assert (reply.abstained, reply.answers, reply.nearest, reply.confidence) == (True, (), (), 0.0)
    assert reply.candidates


async def test_an_answer_that_is_withdrawn_or_held_back_is_not_worded_either() -> None:
    reply = await asked(MemoryGraph(CITIES[:3]), "Which city does France have?")
    worded = replace(reply, wording="France has City 000.")
    assert worded.withdraw_answers().wording is None
    assert worded.hold_back("another unit").wording is None


@pytest.mark.parametrize(
    ("question", "number"),
    [
        ("How many rivers flow through Germany?", True),
        ("The number of countries in Africa", True),
        ("count the islands of Japan", True),
        ("What quantity of locations is in SK7?", True),
        ("Which many-coloured flags are there?", False),
        ("Which country counts as an island?", False),
    ],
)
def test_questions_for_a_number_are_told_from_others(question: str, number: bool) -> None:
    assert asks_for_number(question) is number
