"""Count claim words: EM over the forms of claims whose verdict agrees with the label.

No claim has a gold pattern. A claim's form is hidden; its parts bring its words (IBM model 1, Brown
et al. 1993). Each round weighs every claim's forms by how well they bring its words, and counts the
words anew.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from trellis.steps.claims.weigh_forms import SHARES, UNKNOWN, weigh_shares, weigh_word
from trellis.training.supervision.frequent_words import keep_frequent_words

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
    weight: float = 1.0


def count_claim_words(
    examples: Sequence[ClaimExample], before: Mapping[str, Mapping[str, float]] | None = None
) -> dict[str, dict[str, float]]:
    """For each part, and for none, how often it brings which word."""
    known = before or {}
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


def weigh_parts(example: ClaimExample, table: Mapping[str, Mapping[str, float]]) -> list[float]:
    """The share of each of an example's forms, by its words."""
    logs = [weight + _measure(example.words, parts, table) for parts, weight in example.forms]
    highest = max(logs)
    shares = [math.exp(each - highest) for each in logs]
    total = sum(shares)
    return [share / total for share in shares]


def _measure(
    words: Sequence[str], parts: Sequence[str], table: Mapping[str, Mapping[str, float]]
) -> float:
    columns = [table.get(part, {}) for part in (_NONE, *parts)]
    brought = sum(
        weigh_word(word) * math.log(sum(c.get(word, _SMOOTH) for c in columns)) for word in words
    )
    many = (weigh_word(word) * often for column in columns for word, often in column.items())
    return brought - sum(many) + weigh_shares(parts, table.get(SHARES, {}))


def _count_once(
    examples: Sequence[ClaimExample],
    before: Mapping[str, Mapping[str, float]],
    known: Mapping[str, Mapping[str, float]],
) -> dict[str, dict[str, float]]:
    counts: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    seen: dict[str, float] = defaultdict(float)
    for example in examples:
        for (parts, _), share in zip(example.forms, weigh_parts(example, before), strict=True):
            if share < 1e-4:
                continue
            weight = share * example.weight
            columns = (_NONE, *parts)
            for part in columns:
                seen[part] += weight
            for word in example.words:
                shares = [before.get(p, {}).get(word, _SMOOTH) if before else 1.0 for p in columns]
                total = sum(shares)
                for part, own in zip(columns, shares, strict=True):
                    counts[part][word] += weight * own / total
    for part, words in known.items():
        seen[part] += _BELIEF
        for word, often in words.items():
            counts[part][word] += _BELIEF * often
    told: dict[str, dict[str, float]] = {
        part: {word: many / seen[part] for word, many in words.items()}
        for part, words in counts.items()
    }
    said = {part: round(many, 2) for part, many in seen.items() if part != _NONE}
    return told | ({SHARES: said} if examples else {})
