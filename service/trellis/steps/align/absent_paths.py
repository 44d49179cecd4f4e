"""Absent paths: whether a question asks for something that the linked nodes do not have.

Inside the KG-Trie a model can only say what is there, so to a question about what is not there it
says the nearest thing, and looks certain. The same model in the wider language of the schema says
what the question says. Where this is not in the trie and explains the question better, by the model
and by the question's words, than all that is there, the answer is that there is none.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from trellis.automata.paths.segments import step_text
from trellis.automata.paths.walks import Walks
from trellis.automata.reader import Reader, SentenceReading
from trellis.domain.graphs.graph import PathQuery
from trellis.domain.graphs.links import Mention
from trellis.domain.models.calibration import BIAS, log_odds, logistic
from trellis.domain.models.decoding import Sentence
from trellis.domain.ports import Embedder
from trellis.steps.align.sentence_steps import SaidStep, list_said_steps
from trellis.steps.align.weigh_sentences import (
    CAP,
    WEIGHT,
    WordEmissions,
    WordTable,
    list_question_words,
    weigh_sentences,
)
from trellis.steps.link.anchors import list_anchor_ids

_WEIGHTS = {BIAS: -2.03, "share": 2.47, "further_steps": -4.50}
"""A logistic regression over 709 questions about the atlas, 66 of them about what is not there. A
longer path is absent more easily, and there is more often another way to say what it says."""

_LEAST = 0.5
"""The probability from which on a question is taken to ask for what is not there."""


LEAST_ADVANTAGE = -1.5
"""The advantage (`measure_advantage`) from which on it is worth to search the wider language."""


@dataclass(frozen=True, slots=True)
class AbsentPath:
    """A path that the question says and the graph does not have; `probability`: that it is so."""

    sentence: Sentence
    probability: float


async def measure_advantage(
    trie: Walks,
    wide: Walks,
    written: Sequence[Sentence],
    masked: str,
    table: WordTable,
    embedder: Embedder | None,
) -> float:
    """By how many nats a single step that the trie lacks may explain the question better than all
    that was written, at most; -inf where it lacks none, inf where nothing was written.

    The step's share of the model's probability is what the trie's sentences leave. So this says
    without the wider search whether it could find anything.
    """
    lacking = _list_lacking_steps(trie, wide)
    words = list_question_words(masked)
    if not lacking or not written:
        return -math.inf if written else math.inf
    by_sentence = list(map(list_said_steps, written))
    every = {step for steps in by_sentence for step in steps} | lacking
    brought = await WordEmissions.look_up(words, every, table, embedder)
    chances = [sentence.score for sentence in _measure_alike(written)]
    left = math.log(max(1e-9, 1 - math.fsum(map(math.exp, chances))))
    floor = max(left, *chances) - CAP
    best = max(
        max(chance, floor) + WEIGHT * brought.measure(steps)
        for chance, steps in zip(chances, by_sentence, strict=True)
    )
    return max(left, floor) + WEIGHT * max(brought.measure([step]) for step in lacking) - best


def _list_lacking_steps(trie: Walks, wide: Walks) -> set[SaidStep]:
    """The steps that paths of the wider language begin with and those of the trie do not."""
    present = trie.list_first_steps()
    return {
        (step_text(step), step.relation)
        for mention, steps in wide.list_first_steps().items()
        for step in steps - present.get(mention, frozenset())
    }


async def find_absent_path(
    trie: Walks,
    written: Sequence[Sentence],
    wished: Sequence[Sentence],
    masked: str,
    table: WordTable,
    embedder: Embedder | None,
) -> AbsentPath | None:
    """The path that a question asks for and the trie does not have; None where it has what is
    asked for.

    `written`: sentences of the trie; `wished`: those of the wider language (`widen_trie`).
    `masked`: the question with its mentions masked. `table`: as of `weigh_sentences`.
    """
    known = {sentence.text for sentence in written}
    further = [sentence for sentence in wished if sentence.text not in known]
    reader: Reader[Any, Any] = Reader(trie)
    absent = {each.text for each in further if not _is_in_language(reader, each.text)}
    if not absent:
        return None
    rivals = await weigh_sentences(_measure_alike([*written, *further]), masked, table, embedder)
    chances = [math.exp(sentence.score) for sentence in rivals]
    refused = [sentence for sentence in rivals if sentence.text in absent]
    share = math.fsum(math.exp(sentence.score) for sentence in refused) / math.fsum(chances)
    features = {"share": log_odds(share), "further_steps": _count_steps(refused[0]) - 1.0}
    probability = logistic(features, _WEIGHTS)
    return AbsentPath(refused[0], probability) if probability >= _LEAST else None


def bind_anchors(sentence: Sentence, mentions: Sequence[Mention]) -> Sentence:
    """A sentence of the schema's paths, with its paths beginning at the linked nodes."""
    bound = (
        PathQuery(
            tuple(
                replace(path, anchors=tuple(list_anchor_ids(mentions[path.mention])))
                for path in query.paths
            )
        )
        for query in sentence.values
    )
    return replace(sentence, values=tuple(dict.fromkeys(bound)))


def _measure_alike(sentences: Iterable[Sentence]) -> list[Sentence]:
    """The sentences of two languages, scored by the probability that the model gives them in
    neither: what a language refused is counted against its sentences."""
    return [
        replace(each, score=each.score + (each.support.total if each.support else 0.0))
        for each in sentences
    ]


def _is_in_language(reader: Reader[Any, Any], text: str) -> bool:
    return isinstance(reader.read_text(f" {text}"), SentenceReading)


def _count_steps(sentence: Sentence) -> int:
    query = sentence.values[0]
    assert isinstance(query, PathQuery)
    return sum(len(path.steps) for path in query.paths)
