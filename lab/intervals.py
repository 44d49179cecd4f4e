"""How far a share or a difference may be chance."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from math import comb, sqrt

import numpy as np

_Z = 1.959964
_DRAWS = 2_000


def measure_interval(
    right: Sequence[bool], chains: Sequence[str], seed: int
) -> tuple[float, float]:
    """The 95 % interval of a share: Wilson's, or by drawing chains anew where one has several
    questions."""
    if not right:
        return (0.0, 1.0)
    if len({*chains}) == len(chains):
        return compute_wilson(sum(right), len(right))
    return _draw_interval([float(each) for each in right], chains, seed)


def compute_wilson(right: int, count: int) -> tuple[float, float]:
    """Wilson's 95 % interval of `right` out of `count`, which is 1 or more."""
    share, square = right / count, _Z * _Z
    middle = (share + square / (2 * count)) / (1 + square / count)
    reach = sqrt(share * (1 - share) / count + square / (4 * count * count))
    reach *= _Z / (1 + square / count)
    return (max(0.0, middle - reach), min(1.0, middle + reach))


def _draw_interval(
    values: Sequence[float], chains: Sequence[str], seed: int
) -> tuple[float, float]:
    """The 95 % interval of a mean of values, by drawing whole chains with replacement."""
    grouped: dict[str, list[float]] = defaultdict(list)
    for value, chain in zip(values, chains, strict=True):
        grouped[chain].append(value)
    sums = np.array([sum(group) for group in grouped.values()])
    sizes = np.array([len(group) for group in grouped.values()])
    random = np.random.default_rng(seed)
    drawn = random.integers(len(sums), size=(_DRAWS, len(sums)))
    means = sums[drawn].sum(axis=1) / sizes[drawn].sum(axis=1)
    low, high = np.percentile(means, (2.5, 97.5))
    return (float(low), float(high))


def compute_chance(
    before: Sequence[bool], after: Sequence[bool], chains: Sequence[str], seed: int
) -> float:
    """How probable a difference of the same questions' results is where nothing changed.

    McNemar's exact test; where chains have several questions, the signs of whole chains'
    differences are drawn at random.
    """
    changes = [int(second) - int(first) for first, second in zip(before, after, strict=True)]
    better, worse = changes.count(1), changes.count(-1)
    if not better + worse:
        return 1.0
    if len({*chains}) == len(chains):
        tail = sum(comb(better + worse, k) for k in range(min(better, worse) + 1))
        return float(min(1.0, 2 * tail / 2 ** (better + worse)))
    grouped: dict[str, int] = defaultdict(int)
    for change, chain in zip(changes, chains, strict=True):
        grouped[chain] += change
    sums = np.array([*grouped.values()])
    signs = np.random.default_rng(seed).choice((-1, 1), size=(_DRAWS, len(sums)))
    return float((np.abs((signs * sums).sum(axis=1)) >= abs(sums.sum())).mean())


def correct_probabilities(probabilities: Sequence[float]) -> list[float]:
    """Holm's correction, for many differences that are looked at together."""
    corrected, highest = [0.0] * len(probabilities), 0.0
    for place, index in enumerate(np.argsort(probabilities, kind="stable")):
        highest = max(highest, min(1.0, (len(probabilities) - place) * probabilities[index]))
        corrected[index] = highest
    return corrected
