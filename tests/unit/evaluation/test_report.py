"""The report of a suite that is asked of a small graph in memory."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from memory_app import MemoryGraph, WordModel
from memory_grounding import GroundingQueries
from trellis.automata.paths.walks import Walks
from trellis.domain.errors import GraphUnavailableError, ServiceError
from trellis.domain.graphs.facts import Fact
from trellis.domain.graphs.graph import Neighbourhood, Node, NodeId, Step, Walk
from trellis.domain.replies.question import Question
from trellis.domain.replies.reply import Reply, StepTime
from trellis.evaluation.report import Report, build_report, write_report
from trellis.evaluation.run import Ask, LanguageOf, read_candidates_again, run_suite
from trellis.pipelines.claims import ClaimVerification
from trellis.pipelines.gcr import Gcr
from trellis.questions.row import QuestionRow
from trellis.steps.claims.step_companions import StepCompanions
from trellis.steps.retrieve.paths.retrieve_trie import retrieve_trie
from trellis.steps.retrieve.paths.settings import PathSettings

GRAPH = MemoryGraph()
SETTINGS = WordModel.card.settings(PathSettings)
GCR = Gcr(GRAPH, WordModel(), SETTINGS)

PARIS = QuestionRow(id="paris", question="What is the capital of France?", answers=("paris",))
SPOKEN = QuestionRow(id="spoken", question="Who speaks French?", answers=("France", "Canada"))
WRONG = QuestionRow(id="wrong", question="What is the capital of Germany?", answers=("Bonn",))
NOTHING = QuestionRow(id="nothing", question="Where is Atlantis?", answers=("the sea",))


def language_of(graph: MemoryGraph) -> LanguageOf:
    """The KG-Trie of a reply's mentions, read from the graph."""

    async def retrieve(_: Question, reply: Reply) -> Walks:
        return await retrieve_trie(graph, reply.mentions, SETTINGS, 1_000)

    return retrieve


async def reported(*questions: QuestionRow, ask: Ask = GCR.answer, **more: Any) -> Report:
    reread = read_candidates_again(language_of(GRAPH))
    outcomes = [one async for one in run_suite(questions, ask, GRAPH, reread, **more)]
    return build_report("gcr", outcomes)


@pytest.mark.parametrize("at_once", [1, 3])
async def test_figures_over_a_suite(at_once: int) -> None:
    body = await reported(PARIS, SPOKEN, WRONG, NOTHING, at_once=at_once)
    assert (body["method"], body["n"], body["errors"]) == ("gcr", 4, 0)
    assert (body["hit"], body["hits_at_1"], body["f1"], body["mrr"]) == (0.5, 0.5, 0.5, 0.5)
    assert (body["recall_at_20"], body["coverage"]) == (0.5, 0.75)
    assert (body["faithful"], body["well_formed"], body["executable"]) == (1.0, 1.0, None)
    assert sum(body["share_of_steps"].values()) == pytest.approx(1)
    assert set(body["seconds_per_question"]) == {"mean", "p50", "p95"}
    assert [one["id"] for one in body["questions"]] == ["paris", "spoken", "wrong", "nothing"]


async def test_the_seconds_of_each_step_are_told_over_the_replies_that_came_to_it() -> None:
    async def timed(question: Question) -> Reply:
        reply = await GCR.answer(question)
        spent = [("link", 1.0), ("decode", 2.0), ("decode", 1.0)]
        found = spent if "France" in question.text else [("link", 3.0)]
        return replace(reply, steps=tuple(StepTime(*step) for step in found))

    body = await reported(PARIS, NOTHING, ask=timed)
    assert body["steps"] == {
        "link": {"mean": 2.0, "p50": 1.0, "p95": 3.0},
        "decode": {"mean": 3.0, "p50": 3.0, "p95": 3.0},
    }
    assert body["share_of_steps"] == {"link": 4 / 7, "decode": 3 / 7}


async def test_each_question_is_told_whole() -> None:
    [told] = (await reported(SPOKEN))["questions"]
    assert set(told["answers"]) == {"France", "Canada"}
    assert len(told["scores"]) == len(told["ids"]) == 2
    spoken = [[country, "SPEAKS", "French"] for country in ("Canada", "France")]
    assert sorted(told["evidence"]) == spoken
    assert told["seconds"] > 0
    assert told["reading"] == "what speaks French"
    assert "error" not in told


async def test_questions_without_gold_are_answered_and_not_scored() -> None:
    body = await reported(replace(PARIS, answers=None))
    assert [body[name] for name in ("hit", "hits_at_1", "f1", "mrr", "recall_at_20")] == [None] * 5
    assert (body["coverage"], body["faithful"]) == (1.0, 1.0)
    assert body["questions"][0]["answers"] == ["Paris"]


async def test_topics_count_only_where_gold_topics_are_asked_for() -> None:
    misled = replace(PARIS, topics=("Germany",))
    linked, gold = await reported(misled), await reported(misled, topics="gold")
    assert linked["questions"][0]["answers"] == ["Paris"]
    assert gold["questions"][0]["answers"] == ["Berlin"]


async def test_errors_are_listed_and_count_as_wrong() -> None:
    async def ask(question: Question) -> Reply:
        if "Germany" in question.text:
            raise GraphUnavailableError("Neo4j went away", "start it")
        return await GCR.answer(question)

    body = await reported(PARIS, WRONG, ask=ask)
    assert (body["errors"], body["hits_at_1"], body["coverage"]) == (1, 0.5, 0.5)
    assert body["questions"][1]["error"] == "Neo4j went away; start it"
    assert body["questions"][1]["answers"] == []


async def test_evidence_that_is_not_in_the_graph_is_found_out() -> None:
    async def lying(question: Question) -> Reply:
        reply = await GCR.answer(question)
        lie = Walk((Node("n0", "France"), Node("n3", "Berlin")), (Step("HAS_CAPITAL"),))
        return replace(reply, evidence=(*reply.evidence, Fact.of_walk(lie)))

    assert (await reported(PARIS, ask=lying))["faithful"] == 0.5


@pytest.mark.parametrize(
    ("text", "relation"),
    [
        ("ENT1 -> HAS_CAPITOL", "HAS_CAPITAL"),  # a text that the graph does not have
        ("ENT1 -> SPEAKS", "HAS_CAPITAL"),  # one that was run as something else
    ],
)
async def test_candidates_that_do_not_read_as_what_was_run_are_found_out(
    text: str, relation: str
) -> None:
    async def lying(question: Question) -> Reply:
        reply = await GCR.answer(question)
        [right] = [one for one in reply.candidates if one.text.endswith(f"-> {relation}")]
        return replace(reply, candidates=(right, replace(right, text=text)))

    assert (await reported(PARIS, ask=lying))["well_formed"] == 0.5


async def test_a_second_reading_asks_the_graph_once_a_question() -> None:
    asked: list[Sequence[NodeId]] = []

    class Watched(MemoryGraph):
        async def neighbourhood(
            self, anchors: Sequence[NodeId], hops: int, *, edge_budget: int, names: bool
        ) -> Neighbourhood:
            asked.append(anchors)
            return await super().neighbourhood(anchors, hops, edge_budget=edge_budget, names=names)

    asking = Question(PARIS.question)
    reply = await GCR.answer(asking)
    read = await read_candidates_again(language_of(Watched()))(asking, reply)
    assert len(read) == len(reply.candidates) > 1
    assert all(read)
    assert len(asked) == 1


async def test_nothing_answered_leaves_no_faithfulness() -> None:
    body = await reported(NOTHING)
    assert (body["faithful"], body["well_formed"], body["coverage"]) == (None, None, 0.0)


async def test_the_report_is_written_whole(tmp_path: Path) -> None:
    body = await reported(PARIS)
    write_report(body, tmp_path / "new" / "report.json")
    assert json.loads((tmp_path / "new" / "report.json").read_text()) == body
    assert [file.name for file in (tmp_path / "new").iterdir()] == ["report.json"]
    (tmp_path / "file").touch()
    with pytest.raises(ServiceError, match="--out"):
        write_report(body, tmp_path / "file" / "report.json")


async def test_claims_and_questions_in_one_file() -> None:
    """A claim is verified, a question answered; accuracy is over the claims with a label."""
    verification = ClaimVerification(StepCompanions(GRAPH, GroundingQueries(GRAPH)))
    so = QuestionRow(id="so", claim="The capital of France is Paris.", label="supported")
    wrong = QuestionRow(id="wrong", claim="The capital of France is Paris.", label="refuted")
    open_ = QuestionRow(id="open", claim="The capital of Canada is Atlantis.")
    body = await reported(PARIS, so, wrong, open_, verify=verification.verify)
    assert (body["accuracy"], body["hits_at_1"], body["faithful"]) == (0.5, 1.0, 1.0)
    entries = {entry["id"]: entry for entry in body["questions"]}
    assert "verdict" not in entries["paris"]
    assert entries["so"]["verdict"] == entries["wrong"]["verdict"] == "supported"
    assert entries["so"]["evidence"] == [["France", "HAS_CAPITAL", "Paris"]]
    assert entries["open"]["verdict"] == "not_enough_evidence"
    assert "Atlantis" in entries["open"]["notes"][0]
