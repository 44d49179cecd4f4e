"""The vote: which nodes answer, in which order, and how many of them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import pytest

from question_forms import make_form
from trellis.domain.errors import ReasonerError
from trellis.domain.graphs.facts import Fact, describe_walk
from trellis.domain.graphs.graph import Node, Step, Walk
from trellis.domain.replies.reply import Answer, Finding, GroundedNode, Judgement
from trellis.domain.replies.review import Review
from trellis.steps.conclude.other_reading import tell_other_reading
from trellis.steps.conclude.reason import Vote, judge_findings, soften_findings

FRANCE = Node("f", "France")


def walk(name: str, relation: str = "R") -> Walk:
    return Walk((FRANCE, Node(name, name)), (Step(relation),))


def finding(probability: float, names: str, relation: str = "R") -> Finding:
    reached = tuple(
        GroundedNode(Node(name, name), (Fact.of_walk(walk(name, relation)),)) for name in names
    )
    return Finding(relation, probability, reached)


async def judged(*findings: Finding, abstain_below: float = 0.0) -> Judgement:
    evidence = list(
        dict.fromkeys(fact for found in findings for node in found.nodes for fact in node.facts)
    )
    return await Vote(abstain_below).judge(findings, evidence)


def names(judgement: Judgement) -> str:
    return "".join(answer.node.name for answer in judgement.answers)


@pytest.mark.parametrize(
    ("findings", "expected"),
    [
        ([(0.9, "abc")], "abc"),  # all that the sure reading reaches
        ([(0.9, "a"), (0.1, "bc")], "a"),  # an unlikely reading adds nothing
        ([(0.5, "a"), (0.45, "b")], "a"),  # two readings as likely: what is given is one's
        ([(0.4, "a"), (0.3, "b"), (0.3, "b")], "b"),  # found twice outweighs found once
        ([(0.4, "ab"), (0.3, "bc"), (0.2, "c")], "ba"),  # the most probable with the first
        ([(0.6, ""), (0.4, "a")], "a"),  # a reading that reaches nothing answers nothing
        ([], ""),
    ],
)
async def test_the_answers_and_their_order(
    findings: list[tuple[float, str]], expected: str
) -> None:
    told_apart = [finding(p, found, f"R{i}") for i, (p, found) in enumerate(findings)]
    assert names(await judged(*told_apart)) == expected


async def test_confidence_is_the_best_belief_and_scores_are_beliefs() -> None:
    judgement = await judged(finding(0.5, "ab", "R"), finding(0.25, "a", "S"))
    assert judgement.confidence == pytest.approx(0.75)
    assert [answer.score for answer in judgement.answers] == pytest.approx([0.75, 0.5])


async def test_each_answer_cites_the_walks_that_show_it() -> None:
    judgement = await judged(finding(0.5, "ab", "R"), finding(0.3, "a", "S"))
    assert [answer.evidence for answer in judgement.answers] == [(0, 2), (1,)]


async def test_below_the_threshold_it_abstains_but_says_how_sure_it_was() -> None:
    judgement = await judged(finding(0.3, "a"), abstain_below=0.4)
    assert (judgement.answers, judgement.confidence) == ((), 0.3)


async def test_where_it_abstains_it_names_what_came_nearest() -> None:
    found = [finding(0.3, "ab"), finding(0.1, "b", "S")]
    judgement = await judge_findings(None, Vote(abstain_below=0.6), make_form("Who?"), found, [])
    assert judgement.answers == ()
    assert [(a.node.name, round(a.score, 9)) for a in judgement.nearest] == [("b", 0.4), ("a", 0.3)]


async def test_with_weights_the_confidence_is_what_the_signs_say() -> None:
    weights = {"bias": -1.0, "link": 2.0, "unseen": 9.0}
    sure, unsure = (Vote(0.5, weights, {"link": link}) for link in (1.0, 0.25))
    given, held = [await vote.judge([finding(0.9, "a")], []) for vote in (sure, unsure)]
    assert (names(given), given.confidence) == ("a", pytest.approx(1 / (1 + math.exp(-1.0))))
    assert (names(held), held.confidence) == ("", pytest.approx(1 / (1 + math.exp(0.5))))


async def test_a_warm_model_believes_its_readings_less_and_a_cold_one_more() -> None:
    found = [finding(0.6, "a"), finding(0.2, "b", "S")]
    warm, same, cold = (
        [one.probability for one in soften_findings(found, temperature)]
        for temperature in (2.0, 1.0, 0.5)
    )
    assert same == [0.6, 0.2]
    assert warm[0] < 0.6 < cold[0]
    assert warm[1] > 0.2 > cold[1]
    assert sum(warm) < 1  # what no finding has stays with none of them


async def test_candidates_that_name_other_nodes_on_the_same_way_are_one_reading() -> None:
    by_name = [
        replace(finding(chance, name, f"R {name}"), relations="R")
        for chance, name in ((0.4, "a"), (0.3, "b"))
    ]
    assert names(await judged(*by_name, finding(0.2, "c", "S"))) == "ab"


@pytest.mark.parametrize(
    ("chances", "note"),
    [
        ((0.5, 0.3), "another reading gives b, c, d among others: by S"),
        ((0.5, 0.2), ""),  # hardly meant
    ],
)
async def test_what_another_reading_gives_is_said_apart(
    chances: tuple[float, float], note: str
) -> None:
    findings = [finding(chances[0], "a", "R"), finding(chances[1], "abcde", "S")]
    answers = (await judged(*findings)).answers
    told = tell_other_reading(answers, findings, {"R": "by R", "S": "by S"})
    assert told == note
    assert not tell_other_reading((), findings, {"S": "by S"})


class Failing:
    """A reasoner whose server is not there."""

    may_choose = False

    async def review(
        self,
        question: str,
        answers: Sequence[Answer],
        findings: Sequence[Finding],
        evidence: Sequence[Fact],
    ) -> Review:
        sizes = "/".join(str(len(them)) for them in (answers, findings, evidence))
        raise ReasonerError(f"no server for {question!r}, {sizes}")


async def test_the_answer_stands_without_a_reasoner_that_fails_and_says_so() -> None:
    found = finding(0.9, "a")
    judgement = await judge_findings(
        Failing(), Vote(), make_form("Who?"), [found], [Fact.of_walk(walk("a"))]
    )
    assert names(judgement) == "a"
    assert judgement.notes == (
        "the reasoner failed, the answer stands without it: no server for 'Who?', 1/1/1",
    )


def test_a_walk_is_told_with_its_arrows_as_they_stand() -> None:
    paris, seine = Node("p", "Paris"), Node("s", "Seine")
    path = Walk((paris, FRANCE, seine), (Step("HAS_CAPITAL", True), Step("HAS_RIVER")))
    assert describe_walk(path) == "Paris <-HAS_CAPITAL- France -HAS_RIVER-> Seine"
