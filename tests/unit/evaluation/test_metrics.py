"""Metrics, by examples worked by hand."""

from __future__ import annotations

import pytest

from trellis.evaluation.metrics import RIGHT, WRONG, AnswerMetrics, mean, percentile, score_answers


@pytest.mark.parametrize(
    ("answers", "gold", "expected"),
    [
        (["a"], ["a"], RIGHT),
        (["b", "a"], ["a"], AnswerMetrics(1, 0, 1, 2 / 3, 1 / 2, 1)),
        (["a", "x", "b", "y"], ["a", "b", "c"], AnswerMetrics(1, 1, 1, 4 / 7, 1, 2 / 3)),
        (["x"], ["a"], WRONG),
        ([], ["a"], WRONG),
        (["a"], [], WRONG),
        ([], [], RIGHT),  # nothing was to be found, and nothing is said
        ([" PARIS "], ["paris"], RIGHT),  # case and outer space do not matter
        (["new york"], ["new_york"], WRONG),  # all else does
        (["\uff21"], ["a"], RIGHT),  # NFKC: a full-width A
        (["A", "a", "b"], ["b"], AnswerMetrics(1, 0, 1, 2 / 3, 1 / 2, 1)),  # one name is one answer
        (list("uvwxyz"), ["z"], AnswerMetrics(1, 0, 0, 2 / 7, 1 / 6, 1)),
    ],
)
def test_marks(answers: list[str], gold: list[str], expected: AnswerMetrics) -> None:
    found = score_answers(answers, gold)
    for name in AnswerMetrics.__slots__:
        assert getattr(found, name) == pytest.approx(getattr(expected, name)), name


def test_recall_looks_at_the_first_twenty() -> None:
    answers = [*(f"x{i}" for i in range(19)), "a", "b"]
    found = score_answers(answers, ["a", "b"])
    assert (found.recall_at_20, found.mrr) == (0.5, 1 / 20)


def test_mean_and_percentiles() -> None:
    assert mean([]) is None
    assert percentile([], 0.5) is None
    assert mean([1.0, 2.0]) == 1.5
    assert [percentile([4.0, 1.0, 3.0, 2.0], share) for share in (0.5, 0.95)] == [2.0, 4.0]
    assert percentile([7.0], 0.5) == 7.0
