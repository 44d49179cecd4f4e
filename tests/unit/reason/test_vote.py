"""The vote: which nodes answer, in which order, and how many of them."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from itertools import combinations

import pytest

from trellis.domain.errors import ReasonerError
from trellis.domain.facts import Fact, describe_walk
from trellis.domain.graph import Node, Step, Walk
from trellis.domain.reply import Answer, Finding, GroundedNode, Judgement
from trellis.domain.review import Review
from trellis.steps.conclude.reason import Vote, collect_candidates, judge_findings, soften_findings

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
    return await Vote(abstain_below).judge("?", findings, evidence)


def names(judgement: Judgement) -> str:
    return "".join(answer.node.name for answer in judgement.answers)


@pytest.mark.parametrize(
    ("findings", "expected"),
    [
        ([(0.9, "abc")], "abc"),  # all that the sure reading reaches
        ([(0.9, "a"), (0.1, "bc")], "a"),  # an unlikely reading adds nothing
        ([(0.5, "a"), (0.45, "b")], "ab"),  # two readings as likely: both, the better first
        ([(0.4, "a"), (0.3, "b"), (0.3, "b")], "ba"),  # found twice outweighs found once
        ([(0.55, "a"), (0.45, "bcdefghij")], "a"),  # many of the second would drown the first
        ([(0.45, "a"), (0.5, "bcdefghij")], "bcdefghija"),  # one more hardly harms many
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
    judgement = await judge_findings(None, Vote(abstain_below=0.6), "Who?", found, [])
    assert judgement.answers == ()
    assert [(a.node.name, round(a.score, 9)) for a in judgement.nearest] == [("b", 0.4), ("a", 0.3)]


async def test_with_weights_the_confidence_is_what_the_signs_say() -> None:
    weights = {"bias": -1.0, "link": 2.0, "unseen": 9.0}
    sure, unsure = (Vote(0.5, weights, {"link": link}) for link in (1.0, 0.25))
    given, held = [await vote.judge("?", [finding(0.9, "a")], []) for vote in (sure, unsure)]
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


def expected_f1(chosen: set[str], findings: Sequence[Finding]) -> float:
    return sum(
        found.probability * 2 * len(chosen & reached) / (len(chosen) + len(reached))
        for found in findings
        if (reached := {r.node.name for r in found.nodes})
    )


@pytest.mark.parametrize("seed", range(40))
async def test_no_other_set_with_the_best_nodes_first_has_a_greater_expected_f1(seed: int) -> None:
    dice = random.Random(seed)
    weights = [dice.random() for _ in range(4)]
    findings = [
        finding(weight / sum(weights), "".join(dice.sample("abcdef", dice.randint(1, 5))), f"R{i}")
        for i, weight in enumerate(weights)
    ]
    ranked = [c.node.name for c in collect_candidates(findings, [])]
    chosen = expected_f1(set(names(await judged(*findings))), findings)
    beliefs = {c.node.name: round(c.belief, 12) for c in collect_candidates(findings, [])}
    for size in range(1, len(ranked) + 1):
        if size == len(ranked) or beliefs[ranked[size - 1]] > beliefs[ranked[size]]:
            assert chosen >= expected_f1(set(ranked[:size]), findings) - 1e-9
    best_of_all = max(
        expected_f1(set(some), findings)
        for size in range(1, len(ranked) + 1)
        for some in combinations(ranked, size)
    )
    assert chosen >= 0.85 * best_of_all  # the best first answer costs little F1


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
    judgement = await judge_findings(Failing(), Vote(), "Who?", [found], [Fact.of_walk(walk("a"))])
    assert names(judgement) == "a"
    assert judgement.notes == (
        "the reasoner failed, the answer stands without it: no server for 'Who?', 1/1/1",
    )


def test_a_walk_is_told_with_its_arrows_as_they_stand() -> None:
    paris, seine = Node("p", "Paris"), Node("s", "Seine")
    path = Walk((paris, FRANCE, seine), (Step("HAS_CAPITAL", True), Step("HAS_RIVER")))
    assert describe_walk(path) == "Paris <-HAS_CAPITAL- France -HAS_RIVER-> Seine"
