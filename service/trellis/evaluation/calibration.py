"""Calibration: what a development suite's outcomes say of how far a model can be believed.

Two things are fitted, both by maximum likelihood: the temperature of the candidates'
probabilities ("On Calibration of Modern Neural Networks", section 4.2), on the questions of which
a candidate is right; and a logistic regression from the signs of a reply to the chance that its
first answer is right. What is told of the second was measured out of fold.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from trellis.domain.calibration import BIAS, tempered
from trellis.domain.card import Calibration, ModelCard
from trellis.domain.errors import InputError
from trellis.domain.graph import Scalar
from trellis.domain.reply import Answer, Reply, Tried
from trellis.evaluation.run import Outcome
from trellis.linking.text import report_key

_BINS = 15  # as in the paper, section 3
_FOLDS = 10
_FEW = 10  # replies: a precision of fewer says nothing
_LEAST = 1e-6  # the least probability that a candidate is credited with
_COOLEST, _HOTTEST = 0.25, 10.0

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Case:
    """One reply that found something: whether it was right, and what it was sure by."""

    signs: Mapping[str, float]
    confidence: float
    right: bool  # its first answer, or what its query gives, given or held back, is gold
    given: bool
    candidates: tuple[tuple[float, bool], ...]  # probability, and whether all it reaches is gold


@dataclass(frozen=True, slots=True)
class Threshold:
    """Where to abstain: what the replies from `at` on came to.

    `precision`: the share of them that is right. `recall`: their share of all that could be
    right. `coverage`: their share of all replies.
    """

    at: float
    precision: float
    recall: float
    coverage: float


@dataclass(frozen=True, slots=True)
class Fitted:
    """A model's calibration, and how good it is on questions that it was not fitted on."""

    temperature: float
    weights: Mapping[str, float]
    threshold: Threshold
    error: float  # expected calibration error
    cases: int


def cases(outcomes: Sequence[Outcome]) -> list[Case]:
    """Those of the outcomes with gold whose replies found something, or ran a query."""
    return [
        _case(one, one.reply)
        for one in outcomes
        if one.reply and judged(one) and (_first(one.reply) or one.reply.cypher)
    ]


def judged(outcome: Outcome) -> bool:
    """Whether it is known what is right."""
    return outcome.gold.answers is not None or outcome.executed.match is not None


def answerable(outcome: Outcome) -> bool:
    """Whether there is something to be found."""
    return bool(outcome.gold.answers) or outcome.executed.match is not None


def fit(outcomes: Sequence[Outcome], precision: float) -> Fitted:
    """The calibration that the outcomes call for; abstention is for that `precision`.

    Raises InputError where there are too few right or wrong replies to learn from.
    """
    seen = cases(outcomes)
    asked = [one for one in outcomes if judged(one)]
    findable = sum(map(answerable, asked))
    right = np.array([case.right for case in seen], bool)
    if min(right.sum(), (~right).sum()) < _FOLDS:
        raise InputError(
            f"{right.sum()} of {len(seen)} replies are right: too few of a kind to calibrate on",
            f"give at least {_FOLDS} questions that are answered right and as many that are not",
        )
    weights, unseen = _regression(seen, right)
    return Fitted(
        temperature=fit_temperature(seen),
        weights=weights,
        threshold=threshold(unseen, right, precision, findable, len(asked)),
        error=calibration_error(unseen, right),
        cases=len(seen),
    )


def calibrate_card(card: ModelCard, method: str, fitted: Fitted) -> ModelCard:
    """The card with a method's calibration, and with what was measured of it."""
    calibration = Calibration(
        temperature=round(fitted.temperature, 4),
        weights={name: round(weight, 4) for name, weight in fitted.weights.items()},
        abstain_below=round(fitted.threshold.at, 4),
    )
    measured: dict[str, Scalar] = {
        "calibrated_on": fitted.cases,
        "calibration_error": round(fitted.error, 4),
        "calibrated_precision": round(fitted.threshold.precision, 4),
        "calibrated_recall": round(fitted.threshold.recall, 4),
    }
    training = {**card.training, f"calibration of {method}": measured}
    return replace(card.with_calibration(method, calibration), training=training)


def fit_temperature(seen: Sequence[Case]) -> float:
    """The temperature under which the right candidates are most probable; 1 where none is."""
    from scipy.optimize import minimize_scalar  # not in every install

    told = [case.candidates for case in seen if any(right for _, right in case.candidates)]

    def surprise(log_temperature: float) -> float:
        return -math.fsum(_log_likelihood(one, math.exp(log_temperature)) for one in told)

    if not told:
        return 1.0
    bounds = (math.log(_COOLEST), math.log(_HOTTEST))
    return math.exp(float(minimize_scalar(surprise, bounds=bounds, method="bounded").x))


def calibration_error(confidences: Floats, right: Flags) -> float:
    """Expected calibration error: |accuracy - confidence| over bins of equal width, by share."""
    bins = np.minimum((confidences * _BINS).astype(int), _BINS - 1)
    gaps = [
        abs(float(right[bins == number].mean() - confidences[bins == number].mean()))
        * float((bins == number).mean())
        for number in np.unique(bins)
    ]
    return math.fsum(gaps)


def threshold(
    confidences: Floats, right: Flags, precision: float, answerable: int, asked: int
) -> Threshold:
    """The lowest one of that precision; where none has it, the most precise one."""
    found = [_above(at, confidences, right, answerable, asked) for at in np.unique(confidences)]
    telling = [one for one in found if one.coverage * asked >= min(_FEW, len(right)) - 0.5]
    precise = [one for one in telling if one.precision >= precision]
    return precise[0] if precise else max(telling, key=lambda one: one.precision)


def _above(at: float, confidences: Floats, right: Flags, answerable: int, asked: int) -> Threshold:
    given = confidences >= at
    good = int(right[given].sum())
    share = good / answerable if answerable else 0.0
    return Threshold(float(at), good / int(given.sum()), share, int(given.sum()) / asked)


def _regression(seen: Sequence[Case], right: Flags) -> tuple[Mapping[str, float], Floats]:
    """The weight of each sign, and the confidence in each case by the weights of the others."""
    names = sorted({name for case in seen for name in case.signs})
    rows = np.array([[case.signs.get(name, 0.0) for name in names] for case in seen])
    fold = np.random.default_rng(0).permutation(len(seen)) % _FOLDS
    unseen = np.zeros(len(seen))
    for number in range(_FOLDS):
        bias, slopes = _logistic(rows[fold != number], right[fold != number])
        unseen[fold == number] = _sigmoid(bias + rows[fold == number] @ slopes)
    bias, slopes = _logistic(rows, right)
    return {BIAS: bias, **dict(zip(names, map(float, slopes), strict=True))}, unseen


def _logistic(rows: Floats, right: Flags) -> tuple[float, Floats]:
    """Bias and slopes [n] of a logistic regression on `rows` [m, n] with a unit normal prior on
    standardised slopes. All signs speak for a reply: a slope below 0 is chance, and held at 0."""
    from scipy.optimize import minimize  # not in every install: calibration alone takes it

    mean, spread = rows.mean(0), np.maximum(rows.std(0), 1e-9)
    scaled = np.column_stack([np.ones(len(rows)), (rows - mean) / spread])
    sides = np.where(right, 1.0, -1.0)

    def cost(slopes: Floats) -> tuple[float, Floats]:
        margins = sides * (scaled @ slopes)
        prior = np.concatenate([[0.0], slopes[1:]])
        loss = float(np.logaddexp(0, -margins).sum() + prior @ prior / 2)
        return loss, prior - (sides * _sigmoid(-margins)) @ scaled

    width = scaled.shape[1]
    bounds = [(None, None), *[(0.0, None)] * (width - 1)]
    found = minimize(cost, np.zeros(width), jac=True, bounds=bounds, method="L-BFGS-B").x
    slopes = found[1:] / spread
    return float(found[0] - slopes @ mean), slopes


def _sigmoid(values: Floats) -> Floats:
    return np.asarray((1 + np.tanh(values / 2)) / 2)


def _log_likelihood(candidates: Sequence[tuple[float, bool]], temperature: float) -> float:
    chances = tempered([chance for chance, _ in candidates], temperature)
    pairs = zip(chances, candidates, strict=True)
    return math.log(max(_LEAST, math.fsum(chance for chance, (_, right) in pairs if right)))


def _case(outcome: Outcome, reply: Reply) -> Case:
    return Case(
        signs=reply.signs,
        confidence=reply.confidence,
        right=_is_right(outcome, reply),
        given=not reply.abstained,
        candidates=tuple(
            (math.exp(tried.score), right)
            for tried, right in zip(reply.candidates, _rights(outcome, reply), strict=True)
            if tried.answers is not None
        ),
    )


def _is_right(outcome: Outcome, reply: Reply) -> bool:
    """By the rows of its query where these are known, else by its first answer."""
    if outcome.executed.match is not None:
        return outcome.executed.match
    gold, first = _gold(outcome), _first(reply)
    return report_key(first[0].node.name) in gold if first else not gold


def _rights(outcome: Outcome, reply: Reply) -> Sequence[bool]:
    """For each candidate whether it gives what is right."""
    if outcome.executed.right:
        return outcome.executed.right
    gold = _gold(outcome)
    return [_all_gold(tried, gold) for tried in reply.candidates]


def _gold(outcome: Outcome) -> set[str]:
    return set(map(report_key, outcome.gold.answers or ()))


def _first(reply: Reply) -> tuple[Answer, ...]:
    """What it answers, or would have answered."""
    return reply.answers or reply.nearest


def _all_gold(tried: Tried, gold: set[str]) -> bool:
    return bool(tried.found) and all(report_key(node.name) in gold for node in tried.found)
