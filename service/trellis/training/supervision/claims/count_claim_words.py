"""Count claim words: EM over the forms of claims whose verdict agrees with the label.

No claim has a gold pattern. A claim's form is hidden; its parts bring its words (IBM model 1, Brown
et al. 1993). Each round weighs every claim's forms by how well they bring its words, and counts the
words anew.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from trellis.steps.claims.weigh_forms import SHARES, UNKNOWN, weigh_shares, weigh_word
from trellis.training.supervision.word_counts import (
    PartWords,
    average_counts,
    expect_words,
    keep_frequent_words,
    normalise_logs,
)

_ROUNDS = 8
_SMOOTH = 1e-3  # how often a part brings a word that it was not seen with, while counting
_LEAST, _MOST = 0.003, 40  # how often a word has to come with a part to be kept; words of a part
_BELIEF = 5.0  # claims that what is known of a part before counting weighs as much as
_NONE = ""


@dataclass(frozen=True, slots=True)
class ClaimExample:
    """The words of a claim, and the forms that agree with its label: their parts, and a log-weight
    before its words are looked at."""

    words: tuple[str, ...]
    forms: tuple[tuple[tuple[str, ...], float], ...]


def count_claim_words(
    examples: Sequence[ClaimExample], known: PartWords
) -> dict[str, dict[str, float]]:
    """For each part, and for none, how often it brings which word; `known`: before any claim."""
    table = known
    for _ in range(_ROUNDS):
        table = _count_once(examples, table, known)
    shares = table.get(SHARES, {})
    return ({SHARES: dict(shares)} if shares else {}) | {
        part: _join_strange(words, known.get(part, {}))
        if part == UNKNOWN  # what is known of other relations is as rare as these are many
        else keep_frequent_words(words, _LEAST, _MOST if part else None)
        for part, words in sorted(table.items())
        if part != SHARES
    }


def _join_strange(counted: Mapping[str, float], known: Mapping[str, float]) -> dict[str, float]:
    """The words of what the graph has no relation for: those counted, and all that are known."""
    words = keep_frequent_words(counted, _LEAST, _MOST)
    return dict(known) | {word: max(often, known.get(word, 0.0)) for word, often in words.items()}


def weigh_parts(example: ClaimExample, table: PartWords) -> list[float]:
    """The share of each of an example's forms, by its words."""
    return normalise_logs(
        [weight + _measure(example.words, parts, table) for parts, weight in example.forms]
    )


def _measure(words: Sequence[str], parts: Sequence[str], table: PartWords) -> float:
    columns = [table.get(part, {}) for part in (_NONE, *parts)]
    brought = sum(
        weigh_word(word) * math.log(sum(c.get(word, _SMOOTH) for c in columns)) for word in words
    )
    many = (weigh_word(word) * often for column in columns for word, often in column.items())
    return brought - sum(many) + weigh_shares(parts, table.get(SHARES, {}))


def _count_once(
    examples: Sequence[ClaimExample], before: PartWords, known: PartWords
) -> dict[str, dict[str, float]]:
    weighed = (
        (example.words, (_NONE, *parts), share)
        for example in examples
        for (parts, _), share in zip(example.forms, weigh_parts(example, before), strict=True)
        if share >= 1e-4
    )
    counts, seen = expect_words(weighed, before, _SMOOTH)
    for part, words in known.items():
        seen[part] += _BELIEF
        for word, often in words.items():
            counts[part][word] += _BELIEF * often
    said = {part: round(many, 2) for part, many in seen.items() if part != _NONE}
    return average_counts(counts, seen) | ({SHARES: said} if examples else {})
