"""Weigh forms: how probable each form of a claim is, by the claim's words.

A noisy channel: each relation of a form brings words with probabilities that training counted (IBM
model 1, Brown et al. 1993), and a word that it never saw with a relation as far as it means what
those words mean. A claim may also speak of what the graph has no relation for: that brings any
words, each a little.
"""

from __future__ import annotations

import asyncio
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from trellis.domain.graphs.sentences import relation_words
from trellis.domain.ports import Embedder
from trellis.domain.replies.claims import ClaimForm, ClaimMention
from trellis.linking.names.spans import FUNCTION_WORDS
from trellis.steps.align.weigh_sentences import (
    MEANT,
    RARELY_NAMED,
    RARELY_SAID,
    list_brought_words,
    measure_likeness,
    pick_telling_words,
)
from trellis.steps.claims.judge_form import list_branches
from trellis.steps.claims.list_forms import WeighedForm

ClaimWords = Mapping[str, Mapping[str, float]]
"""For each part of a form, and for the empty text (no part), how often it brings which word."""

SHARES = "#"
"""The entry of a table that says how often claims speak of each part."""

UNKNOWN = "?"
"""The part of a form that says what the graph has no relation for."""

_WORD = re.compile(r"[^\W\d_]{2,}")
_STRANGE = 8e-3  # how often what the graph has no relation for brings a certain word
_KINDS_OF_STRANGE, _MOST_STRANGE = 3.0, 0.4  # it is one of many relations, each with its words
_STRANGE_MANY = 2.5  # words that it brings in all
_UNSAID = -3.0  # log-weight of each relation that training never counted and no word says
_UNSAID_UNTAUGHT = -8.0  # the same where nothing was counted
_SAID_LEAST = 0.15  # how often a relation brings a word that says it, at least
_SAID_UNTAUGHT = 0.02  # the same where nothing was counted
_STRANGE_PRIOR = -4.0  # its log-weight
_OFTEN, _LEAST_SHARE = 0.5, 0.03  # weight of how often claims speak of a part; the least of it
_MEASURES = {
    word: frozenset(meant.split())
    for words, meant in (
        ("tall taller tallest", "tall height high elevation size length"),
        ("heavy heavier heaviest lighter weigh weighs weighed", "weight mass heavy weigh"),
        ("fast faster fastest slower slowest", "speed velocity pace fast"),
        ("longer longest shorter shortest", "length duration runtime distance height long"),
        (
            "big bigger biggest large larger largest smaller smallest",
            "area size surface population big large number count amount quantity value",
        ),
        ("rich richer richest wealthier", "wealth income gdp fortune worth revenue salary"),
    )
    for word in words.split()
}  # words that say what is measured, and those of relations that may hold it
_MEASURED = 0.3  # how often such a relation brings such a word
_NOT_MEASURED = -8.0  # log-weight of a relation that holds something else
_TRUST = 0.7  # weight of all logs: words are not as independent as they are taken to be
_GRAMMAR = 0.4  # weight of words of grammar
_TELLING = 12  # words of a part that others are compared with


def list_claim_words(words: str) -> list[str]:
    """The words of a claim without its mentions, in order."""
    return _WORD.findall(words)


def list_parts(form: ClaimForm) -> tuple[str, ...]:
    """The parts of a form that bring words: its steps, and what is unknown."""
    steps = [
        f"{'<' if branch.step.reversed else '>'}{branch.step.relation}"
        for branches in list_branches(form).values()
        for branch in branches
    ]
    if form.operator.kind in ("values", "counts"):
        steps = steps[:1]
    return (*steps, *((UNKNOWN,) if form.is_unknown else ()))


def weigh_word(word: str) -> float:
    """How much a word counts: grammar tells little of what a relation is."""
    return _GRAMMAR if word in FUNCTION_WORDS else 1.0


@dataclass
class WordLikeness:
    """How far words mean the same, from 0 to 1; vectors are kept."""

    embedder: Embedder | None
    _vectors: dict[str, NDArray[np.float32]] = field(default_factory=dict)

    async def load(self, words: Sequence[str]) -> None:
        """Make the vectors of some words."""
        if self.embedder is None:
            return
        new = sorted({word for word in words if word not in self._vectors})
        if new:
            vectors = await asyncio.to_thread(self.embedder.embed, new)
            self._vectors.update(zip(new, vectors, strict=True))

    def compare(self, word: str, others: Sequence[str]) -> NDArray[np.float64]:
        if self.embedder is None or not others:
            return np.array([float(word == other) for other in others])
        rows = np.stack([self._vectors[other] for other in others])
        return np.asarray(measure_likeness(rows @ self._vectors[word]), np.float64)


@dataclass(frozen=True)
class FormWeigher:
    """Weighs forms by the words that training counted."""

    table: ClaimWords
    likeness: WordLikeness

    async def weigh_forms(
        self,
        forms: Sequence[WeighedForm],
        words: str,
        mentions: Sequence[ClaimMention],
    ) -> list[float]:
        """The probability of each form, one in all with what is left for other readings."""
        said = list_claim_words(words)
        parts = [list_parts(each.form) for each in forms]
        every = {part for those in parts for part in those}
        brought = await self._look_up(said, every)
        unsaid = {part: self._weigh_unsaid(part, said, brought) for part in every}
        logs = []
        for each, those in zip(forms, parts, strict=True):
            dropped = self._list_kept_words(each, mentions)
            own = _OFTEN * weigh_shares(those, self.table.get(SHARES, {}))
            left = sum(unsaid[part] for part in those)
            measured = brought.measure(said, those, dropped)
            logs.append(each.weight + own + _weigh_unknown(those) + left + measured)
        return _normalise(logs)

    def _weigh_unsaid(self, part: str, said: Sequence[str], brought: _BroughtWords) -> float:
        """The log-weight of a relation that no word says, or that holds another measure."""
        never = _UNSAID if SHARES in self.table else _UNSAID_UNTAUGHT
        unsaid = never if self._is_unsaid(part, said, brought) else 0.0
        return unsaid + (_NOT_MEASURED if self._is_other_measure(part, said) else 0.0)

    def _is_unsaid(self, part: str, said: Sequence[str], brought: _BroughtWords) -> bool:
        """Whether a relation that training never counted is in none of the claim's words."""
        if part == UNKNOWN or (SHARES in self.table and part in self.table):
            return False
        telling = (word for word in said if word not in FUNCTION_WORDS)
        least = _SAID_LEAST if SHARES in self.table else _SAID_UNTAUGHT
        return not any(brought.by_word[word][part] >= least for word in telling)

    def _is_other_measure(self, part: str, said: Sequence[str]) -> bool:
        """Whether the claim says what is measured, and a relation holds something else."""
        measures = [word for word in said if word in _MEASURES]
        if part == UNKNOWN or not measures:
            return False
        own = {*_list_own_words(part), *self.table.get(part, {})}
        return any(not own & {word, *_MEASURES[word]} for word in measures)

    def _list_kept_words(
        self, form: WeighedForm, mentions: Sequence[ClaimMention]
    ) -> frozenset[str]:
        """The ordinary words that a form takes for names."""
        kept = (mentions[i] for i in form.kept if mentions[i].is_ordinary)
        return frozenset(
            word for mention in kept for word in list_claim_words(mention.text.lower())
        )

    async def _look_up(self, said: Sequence[str], parts: set[str]) -> _BroughtWords:
        words = {p: list_brought_words(self.table, p, _list_own_words(p)) for p in parts}
        telling = {
            part: those if part == UNKNOWN else pick_telling_words(those, _TELLING)
            for part, those in words.items()
        }
        none = self.table.get("", {})
        others = {word for those in telling.values() for word in those}
        await self.likeness.load([*said, *others])
        named = {word for part in parts for word in _list_own_words(part)}
        by_word: dict[str, dict[str, float]] = {}
        for word in set(said):
            column = {"": none.get(word, RARELY_NAMED if word in named else RARELY_SAID)}
            for part, those in words.items():
                alike = self.likeness.compare(word, list(telling[part]))
                shares = np.array(list(telling[part].values()))
                meant = float((alike * shares).max(initial=0.0))
                column[part] = max(those.get(word, 0.0), MEANT * meant, _measure_said(word, part))
                if part == UNKNOWN:
                    often = min(_MOST_STRANGE, _KINDS_OF_STRANGE * column[part])
                    column[part] = max(often, _STRANGE if word not in none else 0.0)
            by_word[word] = column
        many = {part: _sum_words(those) for part, those in words.items()}
        many[""] = _sum_words(none) or 1.0
        if UNKNOWN in many:
            many[UNKNOWN] = _STRANGE_MANY
        return _BroughtWords(by_word, many)


@dataclass(frozen=True, slots=True)
class _BroughtWords:
    """How often each part brings each word of a claim, and how many words in all."""

    by_word: Mapping[str, Mapping[str, float]]
    many: Mapping[str, float]

    def measure(self, said: Sequence[str], parts: Sequence[str], dropped: frozenset[str]) -> float:
        """The log-probability of the claim's words, and of their number, given some parts."""
        all_parts = ("", *parts)
        total = sum(self.many[part] for part in all_parts)
        logs = [
            weigh_word(word) * math.log(sum(self.by_word[word][part] for part in all_parts))
            for word in said
            if word not in dropped
        ]
        return sum(logs) - total


def _measure_said(word: str, part: str) -> float:
    """How often a relation brings a word that says what is measured: `longer`, a length."""
    if word not in _MEASURES or _MEASURES[word].isdisjoint(_list_own_words(part)):
        return 0.0
    return _MEASURED


def _sum_words(words: Mapping[str, float]) -> float:
    return sum(weigh_word(word) * often for word, often in words.items())


def weigh_shares(parts: Sequence[str], shares: Mapping[str, float]) -> float:
    """The log-weight of parts by how often claims speak of them, beside the most frequent one."""
    if not shares:
        return 0.0
    most = max((often for part, often in shares.items() if part != UNKNOWN), default=1.0)
    known = (part for part in parts if part != UNKNOWN)
    return sum(math.log(max(_LEAST_SHARE, shares.get(part, 0.0) / most)) for part in known)


def _weigh_unknown(parts: Sequence[str]) -> float:
    return _STRANGE_PRIOR if UNKNOWN in parts else 0.0


def _list_own_words(part: str) -> list[str]:
    """The words of a relation's name."""
    words = relation_words(part[1:].lstrip(".")) if part[:1] in "<>" and part else []
    return [word for word in words if word not in FUNCTION_WORDS] or list(words)


def _normalise(logs: Sequence[float]) -> list[float]:
    if not logs:
        return []
    highest = max(logs)
    shares = [math.exp(_TRUST * (each - highest)) for each in logs]
    total = sum(shares)
    return [share / total for share in shares]
