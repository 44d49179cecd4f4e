"""One reply of several: what agreement and contradiction do to its confidence."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trellis.domain.graphs.graph import Node
from trellis.domain.replies.reply import Answer, CandidateOutcome, Reply
from trellis.steps.choose.fuse_replies import AnswerHypothesis, compute_likelihood, fuse_replies


def make_reply(
    method: str,
    confidence: float,
    *names: str,
    abstained: bool = False,
    count: int | None = None,
    verdict: str | None = None,
) -> Reply:
    found = tuple(Answer(Node(name, name), 0.5) for name in names)
    return Reply(
        "?",
        method,
        () if abstained else found,
        (),
        confidence,
        abstained=abstained,
        nearest=found if abstained else (),
        count=count,
        verdict=verdict,  # type: ignore[arg-type]
    )


CHANCES = st.floats(0.01, 0.99)


@given(CHANCES)
def test_one_reply_keeps_its_confidence(chance: float) -> None:
    fused = fuse_replies([make_reply("a", chance, "x")])
    assert fused.confidence == pytest.approx(chance)


@given(CHANCES, CHANCES)
def test_agreement_never_makes_less_sure_and_contradiction_always_does(p: float, q: float) -> None:
    first = make_reply("a", p, "x")
    agreeing = fuse_replies([first, make_reply("b", q, "x")])
    assert agreeing.reply is first
    assert max(p, q) <= agreeing.confidence + 1e-9 < 1
    other = make_reply("b", q, "y")
    contradicted = fuse_replies([first, other])
    assert contradicted.confidence < max(p, q)
    if p == q or abs(p - q) > 1e-9:  # else the last bits decide
        assert contradicted.reply is (first if p >= q else other)


def test_of_claims_that_are_nearly_the_same_the_surest_is_given() -> None:
    nearly = [make_reply("a", 0.5, *"abcdefghi"), make_reply("b", 0.8, *"abcdefghij")]
    assert fuse_replies(nearly).reply.method == "b"


def test_two_that_agree_outweigh_a_surer_one() -> None:
    replies = [make_reply("a", 0.75, "x"), make_reply("b", 0.7, "y"), make_reply("c", 0.7, "y")]
    fused = fuse_replies(replies)
    assert (fused.reply.method, fused.agreeing, fused.contradicting) == ("b", ("c",), ("a",))


def test_what_was_not_sure_enough_to_be_given_weighs_little() -> None:
    sure = make_reply("a", 0.8, "x")
    unsure = make_reply("b", 0.6, "y", abstained=True)
    given_other = make_reply("b", 0.6, "y")
    weak, strong = fuse_replies([sure, unsure]), fuse_replies([sure, given_other])
    assert strong.confidence < weak.confidence < 0.8
    assert weak.contradicting == ("b",)


def test_a_reply_that_gives_nothing_is_not_chosen_while_another_gives_something() -> None:
    fused = fuse_replies([make_reply("a", 0.9, "y", abstained=True), make_reply("b", 0.2, "x")])
    assert fused.reply.method == "b"
    silent = [make_reply("a", 0.1, "x", abstained=True), make_reply("b", 0.3, "x", abstained=True)]
    surest = fuse_replies([*silent, make_reply("c", 0.2, "z", "x", abstained=True)]).reply
    assert surest.method == "b"
    assert [answer.node.name for answer in surest.nearest] == ["x", "z"]


@pytest.mark.parametrize(
    ("first", "second", "is_same"),
    [
        (make_reply("a", 0.5, "Paris"), make_reply("b", 0.5, "paris "), True),
        (make_reply("a", 0.5, *"abcdefghi"), make_reply("b", 0.5, *"abcdefghij"), True),
        (make_reply("a", 0.5, *"ab"), make_reply("b", 0.5, *"abcdef"), False),
        (make_reply("a", 0.5), make_reply("b", 0.5), True),
        (make_reply("a", 0.5), make_reply("b", 0.5, "x"), False),
        (make_reply("a", 0.5, "7", count=7), make_reply("b", 0.5, "x", "y", count=7), True),
        (make_reply("a", 0.5, "7", count=7), make_reply("b", 0.5, "x", "y", count=2), False),
        (make_reply("a", 0.5, verdict="yes"), make_reply("b", 0.5, verdict="no"), False),
        (make_reply("a", 0.5, *"abcdefg"), make_reply("b", 0.5, *"abcde", abstained=True), True),
    ],
)
def test_claims_are_the_same_where_they_say_the_same(
    first: Reply, second: Reply, is_same: bool
) -> None:
    one, other = AnswerHypothesis.of(first), AnswerHypothesis.of(second)
    assert one
    assert other
    assert one.is_same(other) == other.is_same(one) == is_same


def test_names_do_not_contradict_a_number() -> None:
    counted = make_reply("a", 0.8, "7", count=7)
    fused = fuse_replies([counted, make_reply("b", 0.7, "x", "y", abstained=True)])
    assert (fused.reply, fused.confidence) == (counted, pytest.approx(0.8))


def test_what_another_found_likely_without_claiming_it_is_evidence_too() -> None:
    first, rival = make_reply("a", 0.7, "x"), make_reply("b", 0.6, "y")
    tried = [
        CandidateOutcome("y", math.log(0.5), 1, first_nodes=(Node("y", "y"),)),
        CandidateOutcome("x", math.log(0.4), 1, first_nodes=(Node("x", "x"),)),
    ]
    near = replace(rival, candidates=tuple(tried))
    far = replace(rival, candidates=tuple(tried[:1]))
    claim = AnswerHypothesis.of(first)
    assert claim
    assert compute_likelihood(claim, near) == pytest.approx(0.4 * 0.8)
    assert compute_likelihood(claim, far) == 0.0
    assert fuse_replies([first, near]).confidence > fuse_replies([first, far]).confidence


def test_that_there_is_no_answer_is_never_quite_sure() -> None:
    fused = fuse_replies([make_reply("a", 0.999)])
    assert (fused.reply.method, fused.confidence) == ("a", pytest.approx(0.8))
    found = make_reply("b", 0.9, "x")
    assert fuse_replies([make_reply("a", 0.999), found]).reply is found


def test_nothing_found_is_no_claim() -> None:
    assert AnswerHypothesis.of(make_reply("a", 0.0, abstained=True)) is None
