"""Counts which words each step of a path brings into questions: IBM model 1 (Brown et al. 1993)."""

from __future__ import annotations

from collections.abc import Sequence

from trellis.steps.align.weigh_sentences import WordTable, list_question_words
from trellis.training.examples import Example
from trellis.training.supervision.word_counts import (
    average_counts,
    expect_words,
    keep_frequent_words,
)

_ROUNDS = 6
_MOST, _LEAST = 30, 0.004  # words of a step, and how often one comes with it at least
_SMOOTH = 1e-6  # how often a step brings a word that it was not seen with, while counting
_NONE = ""


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
