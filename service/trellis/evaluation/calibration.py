"""Calibration: fits a method's confidence to the outcomes of a development suite.

Two things are fitted, both by maximum likelihood: the temperature of the candidates'
probabilities ("On Calibration of Modern Neural Networks", section 4.2), on the questions of which
a candidate is right; and a logistic regression from the features of a reply to the probability that
its first answer is right. The figures of the regression are measured out of fold.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from trellis.domain.errors import InputError
from trellis.domain.graphs.graph import Scalar
from trellis.domain.models.calibration import BIAS, DIRECTION, temper_probabilities
from trellis.domain.models.card import Calibration, ModelCard
from trellis.evaluation.calibration_cases import (
    CalibrationCase,
    collect_cases,
    has_gold,
    is_answerable,
)
from trellis.evaluation.run import Outcome

_BINS = 15  # as in the paper, section 3
_FOLDS = 10
_MIN_REPLIES = 10  # replies; a precision over fewer is too uncertain
_BELIEF = "belief"  # the feature that all methods have: the log-odds of the belief
_TRUST = 0.5  # how far few questions may move that the belief is its own confidence
_MIN_PROBABILITY = 1e-6  # the floor of a candidate's probability in logarithms
_COOLEST, _HOTTEST = 0.25, 10.0

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Threshold:
    """The confidence below which to abstain, and the figures of the replies at or above it.

    `precision`: the share of them that is right. `recall`: the right ones among them as a share of
    the answerable questions. `coverage`: their share of all questions.
    """

    confidence: float
    precision: float
    recall: float
    coverage: float


@dataclass(frozen=True, slots=True)
class FittedCalibration:
    """A method's calibration, and its quality on questions that it was not fitted on."""

    temperature: float
    weights: Mapping[str, float]
    threshold: Threshold
    error: float  # expected calibration error
    cases: int
    accuracy: float  # of what it found, given or not, over all questions with gold


@dataclass(frozen=True, slots=True)
class GeneralConfidence:
    """A confidence for models that nobody judged, and its quality on graphs that it was not fitted
    on: `error`, and the confidence [m] in each of their replies, with whether it is `right` [m]."""

    weights: Mapping[str, float]
    error: float
    confidences: Floats
    right: Flags


def fit_calibration(outcomes: Sequence[Outcome], precision: float) -> FittedCalibration:
    """The calibration fitted to the outcomes, with the threshold that reaches `precision`.

    Raises InputError if there are too few right or too few wrong replies.
    """
    seen = collect_cases(outcomes)
    asked = [outcome for outcome in outcomes if has_gold(outcome)]
    findable = sum(map(is_answerable, asked))
    right = np.array([case.right for case in seen], bool)
    if min(right.sum(), (~right).sum()) < _FOLDS:
        raise InputError(
            f"{right.sum()} of {len(seen)} replies are right: too few of a kind to calibrate on",
            f"give at least {_FOLDS} questions that are answered right and as many that are not",
        )
    fold = np.random.default_rng(0).permutation(len(seen)) % _FOLDS
    weights, unseen = _fit_regression([case.features for case in seen], right, fold)
    return FittedCalibration(
        temperature=fit_temperature(seen),
        weights=weights,
        threshold=choose_threshold(unseen, right, precision, findable, len(asked)),
        error=calibration_error(unseen, right),
        cases=len(seen),
        accuracy=float(right.sum()) / len(asked),
    )


def fit_confidence(outcomes: Sequence[Outcome], general: Calibration) -> Calibration:
    """The confidence fitted to questions that were not learnt from, which may be few.

    Before any of them the confidence is that of the `general` calibration, or, where that has no
    weights, the belief in an answer; few questions move that a little. The accuracy is over all
    questions with gold. A method so fitted never abstains.
    """
    seen = collect_cases(outcomes)
    asked = [outcome for outcome in outcomes if has_gold(outcome)]
    right = np.array([case.right for case in seen], bool)
    start = dict(general.weights) or {_BELIEF: 1.0}
    bias = start.pop(BIAS, 0.0)
    rows = np.array([[case.features.get(name, 0.0) for name in start] for case in seen])
    fitted = _fit_near(rows, right, np.array([bias, *start.values()]))
    weights = zip((BIAS, *start), map(float, fitted), strict=True)
    return Calibration(
        weights={name: round(weight, 4) for name, weight in weights},
        accuracy=round(float(right.sum()) / len(asked), 4) if asked else None,
    )


def fit_general_confidence(
    groups: Sequence[Sequence[tuple[Mapping[str, float], bool]]],
) -> GeneralConfidence:
    """The confidence fitted to replies of several models, each about a graph of its own.

    `groups`: of each model the features of its replies, and whether each is right. Raises
    InputError where there are fewer than two groups, as it is judged on a group by the others.
    """
    if len(groups) < 2:
        raise InputError("one graph's replies say nothing of other graphs", "give two or more")
    cases = [case for group in groups for case in group]
    right = np.array([is_right for _, is_right in cases], bool)
    group = np.repeat(np.arange(len(groups)), [len(each) for each in groups])
    weights, unseen = _fit_regression([features for features, _ in cases], right, group)
    return GeneralConfidence(weights, calibration_error(unseen, right), unseen, right)


def calibrate_card(card: ModelCard, method: str, fitted: FittedCalibration) -> ModelCard:
    """The card with a method's calibration and its figures."""
    calibration = Calibration(
        temperature=round(fitted.temperature, 4),
        weights={name: round(weight, 4) for name, weight in fitted.weights.items()},
        abstain_below=round(fitted.threshold.confidence, 4),
        accuracy=round(fitted.accuracy, 4),
    )
    measured: dict[str, Scalar] = {
        "calibrated_on": fitted.cases,
        "calibration_error": round(fitted.error, 4),
        "calibrated_precision": round(fitted.threshold.precision, 4),
        "calibrated_recall": round(fitted.threshold.recall, 4),
    }
    training = {**card.training, f"calibration of {method}": measured}
    return replace(card.with_calibration(method, calibration), training=training)


def fit_temperature(judged_cases: Sequence[CalibrationCase]) -> float:
    """The temperature under which the right candidates are most probable; 1 if none is right."""
    from scipy.optimize import minimize_scalar  # an optional dependency

    findable = [
        case.candidates for case in judged_cases if any(right for _, right in case.candidates)
    ]

    def surprise(log_temperature: float) -> float:
        temperature = math.exp(log_temperature)
        return -math.fsum(_log_likelihood(candidates, temperature) for candidates in findable)

    if not findable:
        return 1.0
    bounds = (math.log(_COOLEST), math.log(_HOTTEST))
    return math.exp(float(minimize_scalar(surprise, bounds=bounds, method="bounded").x))


def calibration_error(confidences: Floats, right: Flags) -> float:
    """Expected calibration error: the mean of |accuracy - confidence| over bins of equal width,
    each weighted by its share of replies."""
    bins = np.minimum((confidences * _BINS).astype(int), _BINS - 1)
    gaps = [
        abs(float(right[bins == number].mean() - confidences[bins == number].mean()))
        * float((bins == number).mean())
        for number in np.unique(bins)
    ]
    return math.fsum(gaps)


def choose_threshold(
    confidences: Floats, right: Flags, precision: float, answerable_count: int, question_count: int
) -> Threshold:
    """The lowest threshold of that precision; if none has it, the most precise one.

    Thresholds that fewer than 10 replies reach are not considered.
    """
    thresholds = [
        _measure_threshold(at, confidences, right, answerable_count, question_count)
        for at in np.unique(confidences)
    ]
    sure = [
        it
        for it in thresholds
        if it.coverage * question_count >= min(_MIN_REPLIES, len(right)) - 0.5
    ]
    precise = [it for it in sure if it.precision >= precision]
    return precise[0] if precise else max(sure, key=lambda it: it.precision)


def _measure_threshold(
    bound: float, confidences: Floats, right: Flags, answerable_count: int, question_count: int
) -> Threshold:
    given = confidences >= bound
    good = int(right[given].sum())
    share = good / answerable_count if answerable_count else 0.0
    return Threshold(
        float(bound), good / int(given.sum()), share, int(given.sum()) / question_count
    )


def _fit_regression(
    features: Sequence[Mapping[str, float]], right: Flags, fold: NDArray[np.int64]
) -> tuple[Mapping[str, float], Floats]:
    """The weight of each feature, and the confidence in each case [m] from weights that were
    fitted without its fold [m]."""
    names = sorted({name for each in features for name in each} - {DIRECTION})
    rows = np.array([[each.get(name, 0.0) for name in names] for each in features])
    unseen = np.zeros(len(features))
    for number in np.unique(fold):
        bias, slopes = _fit_logistic(rows[fold != number], right[fold != number])
        unseen[fold == number] = _sigmoid(bias + rows[fold == number] @ slopes)
    bias, slopes = _fit_logistic(rows, right)
    return {BIAS: bias, **dict(zip(names, map(float, slopes), strict=True))}, unseen


def _fit_logistic(rows: Floats, right: Flags) -> tuple[float, Floats]:
    """Bias and slopes [n] of a logistic regression on `rows` [m, n] with a unit normal prior on
    standardised slopes. Every feature speaks for a reply, so slopes are at least 0."""
    mean, spread = rows.mean(0), np.maximum(rows.std(0), 1e-9)
    precisions = np.concatenate([[0.0], np.ones(len(mean))])
    fitted = _fit_weights((rows - mean) / spread, right, np.zeros(len(mean) + 1), precisions)
    slopes = fitted[1:] / spread
    return float(fitted[0] - slopes @ mean), slopes


def _fit_near(rows: Floats, right: Flags, start: Floats) -> Floats:
    """Bias and slopes [n + 1] of a logistic regression on `rows` [m, n] with a normal prior around
    `start`, whose spread is `_TRUST`, and less for slopes of features that vary by more than 1."""
    if not len(rows):
        return start
    spread = np.concatenate([[1.0], np.maximum(rows.std(0), 1.0)])
    return _fit_weights(rows, right, start, (spread / _TRUST) ** 2)


def _fit_weights(rows: Floats, right: Flags, start: Floats, precisions: Floats) -> Floats:
    """The most probable bias and slopes [n + 1], slopes at least 0, after `rows` [m, n], where a
    normal prior around `start` has `precisions` [n + 1]."""
    from scipy.optimize import minimize  # an optional dependency

    columns = np.column_stack([np.ones(len(rows)), rows])
    sides = np.where(right, 1.0, -1.0)

    def cost(weights: Floats) -> tuple[float, Floats]:
        margins, moved = sides * (columns @ weights), weights - start
        loss = float(np.logaddexp(0, -margins).sum() + precisions @ moved**2 / 2)
        return loss, precisions * moved - (sides * _sigmoid(-margins)) @ columns

    bounds = [(None, None), *[(0.0, None)] * (len(start) - 1)]
    return np.asarray(minimize(cost, start, jac=True, bounds=bounds, method="L-BFGS-B").x)


def _sigmoid(values: Floats) -> Floats:
    return np.asarray((1 + np.tanh(values / 2)) / 2)


def _log_likelihood(candidates: Sequence[tuple[float, bool]], temperature: float) -> float:
    chances = temper_probabilities([chance for chance, _ in candidates], temperature)
    pairs = zip(chances, candidates, strict=True)
    return math.log(
        max(_MIN_PROBABILITY, math.fsum(chance for chance, (_, right) in pairs if right))
    )
