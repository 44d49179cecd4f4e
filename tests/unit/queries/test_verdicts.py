"""Yes or no: what a query comes to that asks whether something is so."""

from __future__ import annotations

import io
import math

import pytest

from question_forms import make_form
from trellis.cli.answering.telling import show_answers
from trellis.cli.terminal import Terminal
from trellis.domain.graphs.graph import Node
from trellis.domain.graphs.schema import Schema
from trellis.domain.models.card import Calibration
from trellis.domain.replies.reply import Answer, Reply
from trellis.domain.structures.cypher import CypherQuery, Rows
from trellis.steps.conclude.queries.find_verdict import find_verdict, name_verdict
from trellis.steps.conclude.queries.judge_query import judge_query
from trellis.steps.conclude.queries.rank_queries import choose_query
from trellis.steps.ground.queries.query_evidence import QueryEvidence
from trellis.steps.ground.queries.run_queries import QueryRun
from trellis.wire.bodies import ReplyBody

WHETHER = CypherQuery(
    "MATCH (x0:`Country` WHERE x0.`name` = $v0)-[:`MEMBER_OF`]->(x1:`Organization`)\n"
    "RETURN count(*) > 0",
    {"v0": "Malta"},
)
SOLD = CypherQuery("MATCH (x0:`Product`)\nRETURN x0.`sold`")
SCHEMA = Schema((), (), 0, 0, "none")


def run(query: CypherQuery, *rows: tuple[object, ...]) -> QueryRun:
    return QueryRun(" said", math.log(0.9), query, Rows(("x",), rows))


@pytest.mark.parametrize(
    ("of", "verdict"),
    [
        (run(WHETHER, (True,)), "yes"),
        (run(WHETHER, (False,)), "no"),
        (run(WHETHER), None),
        (run(SOLD, (True,)), None),  # a property's value is no verdict
        (QueryRun(" said", 0.0, WHETHER, problem="refused"), None),
    ],
)
def test_a_single_truth_is_a_verdict(of: QueryRun, verdict: str | None) -> None:
    assert find_verdict(of) == verdict


@pytest.mark.parametrize(("truth", "verdict"), [(True, "yes"), (False, "no")])
def test_a_verdict_is_the_answer(truth: bool, verdict: str) -> None:
    ran = run(WHETHER, (truth,))
    chosen = choose_query(make_form("Is Malta a member?"), [ran, run(SOLD)])
    assert chosen
    assert chosen.run is ran
    assert ran.rows
    judged = judge_query(chosen, ran.rows, QueryEvidence(), SCHEMA, Calibration(), {})
    named = name_verdict(judged, find_verdict(ran))
    assert [answer.node.name for answer in named.answers] == [verdict]
    assert not named.claims_none


def test_a_verdict_is_told_by_the_service_and_the_command() -> None:
    answers = (Answer(Node("", "no"), 0.9),)
    reading = "whether country Malta borders a country"
    reply = Reply("?", "raft", answers, (), 0.9, False, reading=reading, verdict="no")
    body = ReplyBody.of("1", reply)
    assert (body.verdict, body.reading) == ("no", reading)
    out = io.StringIO()
    show_answers(body, Terminal(file=out, highlight=False))
    assert out.getvalue() == f"understood as: {reading} (90% sure)\nno\n"
