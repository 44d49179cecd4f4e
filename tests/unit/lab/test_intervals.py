"""Intervals and chances, beside figures that are known."""

from __future__ import annotations

import pytest

from lab.intervals import compute_chance, compute_wilson, correct_probabilities, measure_interval


@pytest.mark.parametrize(
    ("right", "count", "low", "high"),
    [(0, 10, 0.0, 0.2775), (10, 10, 0.7225, 1.0), (15, 20, 0.5313, 0.8881)],
)
def test_wilsons_interval(right: int, count: int, low: float, high: float) -> None:
    assert compute_wilson(right, count) == pytest.approx((low, high), abs=1e-4)


def number_chains(count: int, length: int = 1) -> list[str]:
    """The chain that each question belongs to."""
    return [str(number // length) for number in range(count)]


def test_questions_of_one_chain_tell_less() -> None:
    right = [number % 40 < 20 for number in range(80)]
    alone = measure_interval(right, number_chains(80), 1)
    chained = measure_interval(right, number_chains(80, 20), 1)
    assert chained[1] - chained[0] > 2 * (alone[1] - alone[0])
    assert chained == measure_interval(right, number_chains(80, 20), 1)


def test_nothing_that_was_asked_tells_nothing() -> None:
    assert measure_interval([], [], 1) == (0.0, 1.0)


def test_mcnemars_test() -> None:
    chains = number_chains(10)
    before, after = [False] * 8 + [True] * 2, [True] * 9 + [False]
    assert compute_chance(before, after, chains, 1) == pytest.approx(2 * (1 + 9) / 2**9)
    assert compute_chance(before, before, chains, 1) == 1.0


def test_a_chain_counts_once() -> None:
    before, after = [False] * 12, [True] * 12
    alone = compute_chance(before, after, number_chains(12), 1)
    chained = compute_chance(before, after, number_chains(12, 6), 1)
    assert alone < 0.01 < 0.3 < chained


def test_many_comparisons_are_corrected() -> None:
    assert correct_probabilities([0.03, 0.01, 0.5]) == pytest.approx([0.06, 0.03, 0.5])
