"""Weigh sentences: by how likely their relations bring the words of the question, too.

A model that learnt from few or made questions is sure of sentences that leave out what the question
says. So its probability is joined by the other direction, as in a noisy channel: each relation
brings words with probabilities that training counted (IBM model 1, Brown et al. 1993), and a word
that it never saw with a relation as far as it means what those words mean. Every relation brings
its own number of words (Poisson), so that a relation that nothing says costs as much as a word that
nothing explains.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from trellis.domain.graphs.sentences import relation_words
from trellis.domain.models.decoding import Sentence
from trellis.domain.ports import Embedder
from trellis.steps.align.sentence_steps import SaidStep, list_said_steps

WordTable = Mapping[str, Mapping[str, float]]
"""For each step as a segment, and for the empty text (no step), how often it brings which word."""

_WORD = re.compile(r"(?<![^\W_])(?!ent\d)[^\W\d_]{2,}")
RARELY_SAID = 5e-3
"""How often a question has a certain word that nothing brings."""

RARELY_NAMED = 5e-4
"""The same of a word of a relation's own name."""

MEANT = 0.5
"""Share of its probability with which a word stands for one that means the same."""

WEIGHT = 0.7
"""Of the question's likelihood beside the model's own probability."""

CAP = 3.0
"""The nats that the model's own probabilities may differ by."""

_FAR = 0.4  # cosine from which on words mean something alike
_TELLING = 8  # words of a step that others are compared with


def list_question_words(masked: str) -> list[str]:
    """The words of a question whose mentions are masked, in order."""
    return _WORD.findall(masked.lower())


async def weigh_sentences(
    sentences: Sequence[Sentence],
    masked: str,
    table: WordTable,
    embedder: Embedder | None = None,
) -> Sequence[Sentence]:
    """The sentences of paths or patterns, most probable first, by what the model says and by the
    question's likelihood.

    `masked`: the question with its mentions masked. The probability of all sentences together stays
    as it was. Unchanged where there is no choice, or nothing to choose by.
    """
    said = list_question_words(masked)
    if len(sentences) < 2 or not said or not table:
        return sentences
    steps = list(map(list_said_steps, sentences))
    different = {step for those in steps for step in those}
    brought = await WordEmissions.look_up(said, different, table, embedder)
    scores = np.array([sentence.score for sentence in sentences])
    own = np.maximum(scores - scores.max(), -CAP)
    joined = own + WEIGHT * np.array([brought.measure(those) for those in steps])
    joined += np.logaddexp.reduce(scores) - np.logaddexp.reduce(joined)
    weighed = [
        replace(sentence, score=float(score))
        for sentence, score in zip(sentences, joined, strict=True)
    ]
    return sorted(weighed, key=lambda sentence: -sentence.score)


@dataclass(frozen=True, eq=False, slots=True)
class WordEmissions:
    """How often each step brings each word of a question [words], and how many words in all."""

    by_step: Mapping[str, NDArray[np.float64]]
    many: Mapping[str, float]

    @classmethod
    async def look_up(
        cls,
        said: Sequence[str],
        steps: set[SaidStep],
        table: WordTable,
        embedder: Embedder | None,
    ) -> WordEmissions:
        words = {
            segment: list_brought_words(table, segment, relation_words(relation))
            for segment, relation in steps
        }
        telling = {segment: pick_telling_words(those, _TELLING) for segment, those in words.items()}
        others = sorted({word for those in telling.values() for word in those})
        near = await _compare_words(sorted(set(said)), others, embedder)
        none = table.get("", {})
        named = {word for _, relation in steps for word in relation_words(relation)}
        alone = {word: RARELY_NAMED if word in named else RARELY_SAID for word in said}
        alone.update(none)
        by_step = {"": np.array([alone[word] for word in said])}
        many = {"": sum(none.values()) or 1.0}
        for segment, those in words.items():
            meant = telling[segment].items()
            alike = [max((near[word, own] * p for own, p in meant), default=0.0) for word in said]
            counted = [those.get(word, 0.0) for word in said]
            by_step[segment] = np.maximum(counted, MEANT * np.array(alike))
            many[segment] = sum(those.values())
        return cls(by_step, many)

    def measure(self, steps: Sequence[SaidStep]) -> float:
        """The log-probability of the question's words, and of their number, given some steps."""
        segments = ["", *(segment for segment, _ in steps)]
        expected = sum(self.by_step[segment] for segment in segments)
        total = sum(self.many[segment] for segment in segments)
        return float(np.log(expected).sum()) - total


def list_brought_words(table: WordTable, key: str, name: Sequence[str]) -> dict[str, float]:
    """The words that a step brings: those that training counted, and those of its name."""
    counted = dict(table.get(key, {}))
    for word in name:
        counted[word] = max(counted.get(word, 0.0), 1.0 / len(name) if not counted else 0.2)
    return counted


def pick_telling_words(words: Mapping[str, float], most: int) -> dict[str, float]:
    """The words that a step brings most often."""
    return dict(sorted(words.items(), key=lambda pair: -pair[1])[:most])


def measure_likeness(cosines: NDArray[np.float32]) -> NDArray[np.float32]:
    """How far words mean the same, from 0 to 1, by the cosines of their vectors."""
    likeness: NDArray[np.float32] = np.clip((cosines - _FAR) / (1 - _FAR), 0.0, 1.0) ** 2
    return likeness


async def _compare_words(
    words: Sequence[str], others: Sequence[str], embedder: Embedder | None
) -> Mapping[tuple[str, str], float]:
    """How far words mean the same as others, from 0 to 1."""
    if embedder is None or not others:
        return {(one, other): float(one == other) for one in words for other in others}
    vectors = await asyncio.to_thread(embedder.embed, [*words, *others])
    alike = measure_likeness(vectors[: len(words)] @ vectors[len(words) :].T)
    return {
        (one, other): float(alike[i, j])
        for i, one in enumerate(words)
        for j, other in enumerate(others)
    }
