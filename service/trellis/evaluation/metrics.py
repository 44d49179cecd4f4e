"""Metrics of one question's answers, and their means.

Names compare by `report_key`. Answers are a ranked list of distinct names, gold is a set.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from trellis.linking.text import report_key


@dataclass(frozen=True, slots=True)
class AnswerMetrics:
    """The metrics of one question's answers, each in [0, 1]."""

    hit: float
    hits_at_1: float
    hits_at_5: float
    f1: float
    mrr: float
    recall_at_20: float


WRONG = AnswerMetrics(0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
RIGHT = AnswerMetrics(1.0, 1.0, 1.0, 1.0, 1.0, 1.0)


def score_answers(answers: Sequence[str], gold: Collection[str]) -> AnswerMetrics:
    """`hit`: any answer is gold; `hits_at_1`: the first is; `hits_at_5`: one of the first five is;
    `f1`: of the two sets of names; `mrr`: 1 / rank of the first gold answer; `recall_at_20`: share
    of gold in the first 20.
    If gold is empty, giving no answer is right.
    """
    ranked = list(dict.fromkeys(map(report_key, answers)))
    wanted = set(map(report_key, gold))
    if not wanted and not ranked:
        return RIGHT
    right = [rank for rank, name in enumerate(ranked, 1) if name in wanted]
    if not right:
        return WRONG
    return AnswerMetrics(
        hit=1.0,
        hits_at_1=float(right[0] == 1),
        hits_at_5=float(right[0] <= 5),
        f1=2 * len(right) / (len(ranked) + len(wanted)),
        mrr=1 / right[0],
        recall_at_20=sum(rank <= 20 for rank in right) / len(wanted),
    )


def mean(values: Sequence[float]) -> float | None:
    """The arithmetic mean; None if there are no values."""
    return math.fsum(values) / len(values) if values else None


def percentile(values: Sequence[float], share: float) -> float | None:
    """The smallest value that at least `share` of the values do not exceed (nearest rank)."""
    if not values:
        return None
    return sorted(values)[max(0, math.ceil(share * len(values)) - 1)]
