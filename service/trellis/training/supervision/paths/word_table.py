"""Counts which words each step of a path brings into questions: IBM model 1 (Brown et al. 1993)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from trellis.steps.align.weigh_sentences import WordTable, list_question_words
from trellis.training.examples import Example
from trellis.training.supervision.frequent_words import keep_frequent_words

_ROUNDS = 6
_MOST, _LEAST = 30, 0.004  # words of a step, and how often one comes with it at least
_NONE = ""


def count_words(examples: Sequence[Example]) -> WordTable:
    """For each step of some examples, and for none, how often it brings which word."""
    pairs = [
        (list_question_words(example.prompt.question), _list_steps(example), example.weight)
        for example in examples
    ]
    brings: dict[str, dict[str, float]] = {}
    for _ in range(_ROUNDS):
        brings = _count_once(pairs, brings)
    return {
        step: keep_frequent_words(words, _LEAST, _MOST if step else None)
        for step, words in sorted(brings.items())
    }


def _count_once(
    pairs: Sequence[tuple[Sequence[str], Sequence[str], float]],
    before: dict[str, dict[str, float]],
) -> dict[str, dict[str, float]]:
    """How often steps bring words, expected by how often they did so before."""
    counts: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    seen: dict[str, float] = defaultdict(float)
    for words, steps, weight in pairs:
        parts = [_NONE, *steps]
        for part in parts:
            seen[part] += weight
        for word in words:
            shares = [before[part].get(word, 1e-6) if before else 1.0 for part in parts]
            total = sum(shares)
            for part, share in zip(parts, shares, strict=True):
                counts[part][word] += weight * share / total
    return {
        part: {word: many / seen[part] for word, many in words.items()}
        for part, words in counts.items()
    }


def _list_steps(example: Example) -> list[str]:
    return [s for s in example.segments if s.startswith((" -> ", " <- "))]
