"""Counts which parts bring which words, by EM for IBM model 1 (Brown et al. 1993): one step of it,
for parts of any kind, and all of it for the steps of paths."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from trellis.steps.align.weigh_sentences import WordTable, list_question_words
from trellis.training.examples import Example

_ROUNDS = 6
_MOST, _LEAST = 30, 0.004  # words of a step, and how often one comes with it at least
_SMOOTH = 1e-6  # how often a step brings a word that it was not seen with, while counting
_NONE = ""

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


def count_words(examples: Sequence[Example]) -> WordTable:
    """For each step of some examples, and for none, how often it brings which word."""
    asked = [
        (list_question_words(each.prompt.question), [_NONE, *_list_steps(each)], each.weight)
        for each in examples
    ]
    brings: dict[str, dict[str, float]] = {}
    for _ in range(_ROUNDS):
        brings = average_counts(*expect_words(asked, brings, _SMOOTH))
    return {
        step: keep_frequent_words(words, _LEAST, _MOST if step else None)
        for step, words in sorted(brings.items())
    }


def _list_steps(example: Example) -> list[str]:
    return [s for s in example.segments if s.startswith((" -> ", " <- "))]
