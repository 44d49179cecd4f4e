"""Calibration fitted on outcomes whose truth is known."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import pytest

from trellis.domain.errors import InputError
from trellis.domain.graphs.graph import Node
from trellis.domain.models.calibration import log_odds, logistic
from trellis.domain.models.card import Calibration, ModelCard
from trellis.domain.replies.reply import Answer, CandidateOutcome, Reply
from trellis.domain.structures.cypher import CypherQuery
from trellis.evaluation.calibration import (
    calibrate_card,
    calibration_error,
    choose_threshold,
    fit_calibration,
    fit_confidence,
    fit_general_confidence,
    fit_temperature,
)
from trellis.evaluation.calibration_cases import collect_cases
from trellis.evaluation.execution import ExecutionResult
from trellis.evaluation.report import build_report
from trellis.evaluation.run import Outcome
from trellis.questions.row import QuestionRow
from trellis.steps.retrieve.paths.settings import PathSettings

GOLD, BAD = Node("g", "gold"), Node("b", "bad")


def outcome(
    chances: Sequence[tuple[float, Node]],
    signs: Mapping[str, float] | None = None,
    answers: tuple[str, ...] = ("gold",),
    given: bool = True,
) -> Outcome:
    """A reply whose candidates reach those nodes with those probabilities."""
    first = (Answer(max(chances, key=lambda one: one[0])[1], 1.0),)
    tried = tuple(CandidateOutcome("path", math.log(p), 1, None, (node,)) for p, node in chances)
    reply = Reply(
        *("?", "gcr", first if given else (), ()),
        confidence=0.9,
        abstained=not given,
        candidates=tried,
        nearest=() if given else first,
        features=signs or {},
    )
    return Outcome(QuestionRow(id="q", question="?", answers=answers), 0.1, reply)


@pytest.mark.parametrize("temperature", [0.5, 1.0, 2.5])
def test_the_temperature_that_made_a_model_too_sure_is_found(temperature: float) -> None:
    dice = random.Random(0)
    outcomes = []
    for _ in range(2_000):
        true = dice.uniform(0.5, 0.95)
        powers = (true**temperature, (1 - true) ** temperature)
        said = powers[0] / sum(powers)
        first, second = (GOLD, BAD) if dice.random() < true else (BAD, GOLD)
        outcomes.append(outcome([(said, first), (1 - said, second)]))
    assert fit_temperature(collect_cases(outcomes)) == pytest.approx(temperature, rel=0.15)


def draw_cases(size: int, seed: int, bias: float = 0.0) -> list[tuple[Mapping[str, float], bool]]:
    """Features of replies, and whether these are right, with the chance sigmoid(3 * good + bias);
    `noise` says nothing."""
    dice = random.Random(seed)
    cases = []
    for _ in range(size):
        good = dice.uniform(-1.5, 1.5)
        right = dice.random() < 1 / (1 + math.exp(-3 * good - bias))
        cases.append(({"good": good, "noise": dice.uniform(-1, 1)}, right))
    return cases


def suite(size: int, seed: int = 0) -> list[Outcome]:
    return [
        outcome([(0.9, GOLD if right else BAD)], features)
        for features, right in draw_cases(size, seed)
    ]


def test_what_is_fitted_is_calibrated_on_questions_that_it_never_saw() -> None:
    fitted = fit_calibration(suite(2_000), 0.95)
    fresh = collect_cases(suite(4_000, seed=1))
    sure = np.array([logistic(case.features, fitted.weights) for case in fresh])
    right = np.array([case.right for case in fresh])
    assert abs(fitted.weights["noise"]) < 0.3 < fitted.weights["good"]
    assert calibration_error(sure, right) < 0.03
    assert calibration_error(np.full(len(fresh), 0.9), right) > 0.3  # what the replies claimed
    kept = sure >= fitted.threshold.confidence
    assert right[kept].mean() == pytest.approx(0.95, abs=0.02)
    assert kept.mean() == pytest.approx(fitted.threshold.coverage, abs=0.05)


def test_the_threshold_gives_as_much_as_the_precision_allows() -> None:
    sure = np.array([0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 0.05] * 2)
    right = np.array([True, True, True, True, False, True, False, False, False, False] * 2)
    found = choose_threshold(sure, right, 0.8, answerable_count=16, question_count=40)
    assert (found.confidence, found.precision) == (0.4, pytest.approx(10 / 12))
    assert (found.recall, found.coverage) == (10 / 16, 12 / 40)


def test_where_no_threshold_is_precise_enough_the_most_precise_one_of_ten_is_taken() -> None:
    sure = np.linspace(1, 0, 40)
    right = np.array([True, False] * 5 + [True] * 5 + [False] * 25)
    found = choose_threshold(sure, right, 0.95, answerable_count=40, question_count=40)
    assert (found.precision, found.coverage) == (pytest.approx(10 / 15), 15 / 40)


def test_too_few_replies_of_a_kind_are_an_error_that_says_so() -> None:
    right = [outcome([(0.9, GOLD)], {"good": 1.0})] * 30
    with pytest.raises(InputError, match="30 of 30 replies are right"):
        fit_calibration(right, 0.95)


def test_a_card_keeps_the_calibration_and_what_was_measured() -> None:
    fitted = fit_calibration(suite(400), 0.95)
    before = replace(ModelCard.of("mini", PathSettings()), training={"path": {"steps": 7}})
    card = calibrate_card(before, "gcr", fitted)
    calibration = card.calibration("gcr")
    assert set(calibration.weights) == {"bias", "good", "noise"}
    assert calibration.abstain_below == pytest.approx(fitted.threshold.confidence, abs=1e-4)
    assert card.calibration("another method") == Calibration()
    assert card.training["path"] == {"steps": 7}
    assert card.training["calibration of gcr"]["calibrated_on"] == 400


def queried(chances: Sequence[float], right: Sequence[bool], answered: int = 0) -> Outcome:
    """A reply of queries whose rows match gold's or not; the first answers."""
    tried = tuple(CandidateOutcome("query", math.log(p), 0, CypherQuery("q")) for p in chances)
    reply = Reply(
        *("?", "graphraft", (), ()),
        confidence=0.9,
        abstained=False,
        candidates=tried,
        cypher="q",
        features={"good": chances[answered]},
    )
    ran = ExecutionResult(right[answered], (True,) * len(right), tuple(right))
    return Outcome(QuestionRow(id="q", question="?", cypher="g"), 0.1, reply, execution=ran)


def test_queries_are_judged_by_their_rows() -> None:
    """A query that gives nothing where gold does is right; a name is not needed for it."""
    seen = collect_cases([queried([0.7, 0.2], [True, False]), queried([0.7, 0.2], [False, True])])
    assert [case.right for case in seen] == [True, False]
    assert seen[1].candidates == ((pytest.approx(0.7), False), (pytest.approx(0.2), True))
    told = build_report("graphraft", [queried([0.9], [True])] * 3 + [queried([0.9], [False])])
    assert told["calibration"]["ece"] == pytest.approx(0.9 - 3 / 4)
    assert (told["calibration"]["precision"], told["calibration"]["recall"]) == (3 / 4, 3 / 4)


def test_a_question_of_what_is_not_there_is_answered_right_by_none() -> None:
    asked = QuestionRow(id="q", question="?", answers=())
    nothing = replace(queried([0.9], [False]), gold=asked, execution=ExecutionResult())
    assert [case.right for case in collect_cases([nothing])] == [True]


def test_the_report_tells_how_far_the_confidence_can_be_believed() -> None:
    outcomes = [
        *[outcome([(0.9, GOLD)])] * 6,
        *[outcome([(0.9, BAD)])] * 2,
        outcome([(0.9, GOLD)], given=False),
        outcome([(0.9, BAD)], answers=(), given=False),
    ]
    told = build_report("gcr", outcomes)["calibration"]
    assert told["ece"] == pytest.approx(0.9 - 7 / 10)
    assert (told["precision"], told["refused"]) == (6 / 8, 1.0)
    assert told["recall"] == pytest.approx(6 / 9)


def fitted_confidence(beliefs: Sequence[tuple[float, bool]]) -> tuple[Calibration, float]:
    """The confidence fitted to replies of those beliefs, and what it makes of a belief of .6."""
    outcomes = [
        outcome([(belief, GOLD if right else BAD)], {"belief": log_odds(belief)})
        for belief, right in beliefs
    ]
    fitted = fit_confidence(outcomes, Calibration())
    return fitted, logistic({"belief": log_odds(0.6)}, fitted.weights)


def test_without_questions_the_belief_is_its_own_confidence() -> None:
    fitted, confidence = fitted_confidence([])
    assert confidence == pytest.approx(0.6)
    assert fitted.accuracy is None


def test_few_questions_move_the_confidence_towards_what_they_show() -> None:
    modest, raised = fitted_confidence([(0.6, True)] * 60)
    boastful, lowered = fitted_confidence([(0.6, False)] * 40 + [(0.6, True)] * 20)
    _, barely = fitted_confidence([(0.6, True)] * 3)
    assert lowered < 0.5 < 0.6 < barely < raised < 1
    assert (modest.accuracy, boastful.accuracy) == (1.0, pytest.approx(1 / 3, abs=1e-4))
    assert modest.abstain_below == 0.0


def test_what_found_nothing_counts_against_the_accuracy() -> None:
    nothing = Reply("?", "gcr", (), (), 0.0, abstained=True)
    silent = Outcome(QuestionRow(id="q", question="?", answers=("gold",)), 0.1, nothing)
    found = outcome([(0.9, GOLD)], {"belief": log_odds(0.9)})
    assert fit_confidence([silent, found], Calibration()).accuracy == 0.5


def test_a_models_confidence_starts_from_that_of_others() -> None:
    general = Calibration(weights={"bias": -1.0, "belief": 0.5, "explained": 2.0}, is_general=True)
    assert fit_confidence([], general).weights == general.weights
    right = [outcome([(0.6, GOLD)], {"belief": log_odds(0.6), "explained": 1.0})] * 60
    fitted = fit_confidence(right, general)
    unexplained = {"belief": log_odds(0.6), "explained": 0.0}
    assert fitted.weights["bias"] > -1.0
    assert 2.0 < fitted.weights["explained"] < 3.0  # all were explained: few of them say little
    assert logistic(unexplained, fitted.weights) < 0.6
    assert (fitted.is_own, general.is_own) == (True, False)


def test_a_general_confidence_is_judged_on_each_graph_by_the_others() -> None:
    fitted = fit_general_confidence([draw_cases(150, seed) for seed in range(4)])
    assert fitted.weights["good"] > 1.5 > 0.5 > fitted.weights["noise"]
    assert fitted.error < 0.1
    sure = fitted.confidences > 0.8
    assert fitted.right[sure].mean() > 0.8
    other = fit_general_confidence([draw_cases(150, 1, bias=2.0), draw_cases(150, 2, bias=-2.0)])
    assert other.error > 0.15  # neither graph is like the other


def test_one_graph_says_nothing_of_others() -> None:
    with pytest.raises(InputError, match="one graph"):
        fit_general_confidence([draw_cases(20, 0)])
