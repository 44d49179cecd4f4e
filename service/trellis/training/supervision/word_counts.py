"""Counts which parts bring which words: a step of EM for IBM model 1 (Brown et al. 1993)."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

PartWords = Mapping[str, Mapping[str, float]]
"""By part, how often it brings which word."""

Counts = dict[str, dict[str, float]]


def expect_words(
    examples: Iterable[tuple[Sequence[str], Sequence[str], float]], before: PartWords, smooth: float
) -> tuple[Counts, dict[str, float]]:
    """How often each part brings which word, expected by what is known `before`, if anything is;
    and how often each part is seen. `examples`: words, the parts that may bring them, and a weight.
    """
    counts: Counts = defaultdict(lambda: defaultdict(float))
    seen: dict[str, float] = defaultdict(float)
    for words, parts, weight in examples:
        for part in parts:
            seen[part] += weight
        for word in words:
            shares = [before.get(p, {}).get(word, smooth) if before else 1.0 for p in parts]
            total = sum(shares)
            for part, share in zip(parts, shares, strict=True):
                counts[part][word] += weight * share / total
    return counts, seen


def average_counts(counts: PartWords, seen: Mapping[str, float]) -> Counts:
    """How often a part brings each word where it is seen once."""
    return {
        part: {word: many / seen[part] for word, many in words.items()}
        for part, words in counts.items()
    }


def keep_frequent_words(
    words: Mapping[str, float], least: float, most: int | None
) -> dict[str, float]:
    """What a card keeps: the words that come at least so often, rounded, frequent ones first, and
    `most` of them at most (None: all)."""
    kept = ((word, round(often, 4)) for word, often in words.items() if often >= least)
    return dict(sorted(kept, key=lambda pair: (-pair[1], pair[0]))[:most])


def normalise_logs(logs: Sequence[float]) -> list[float]:
    """Log-weights to shares that add to one."""
    highest = max(logs, default=0.0)
    weights = [math.exp(each - highest) for each in logs]
    total = sum(weights)
    return [weight / total for weight in weights]
