"""Value uses: written queries that leave out a value of the question, or repeat it, weigh less."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from trellis.domain.decoding import Sentence
from trellis.domain.links import Mention
from trellis.steps.link.values.value_mentions import is_scattered, value_name

_MISSING_VALUE_WEIGHT = (
    0.02  # weight of a query for each value of the question not used exactly once
)


def reweigh_sentences(sentences: Sequence[Sentence], mentions: Sequence[Mention]) -> list[Sentence]:
    """The sentences with their scores lowered for wrong use of the question's values, best first.

    A sentence that omits a value of the question, or repeats it, is weighed down: hardly one value
    in fifty is in a question without need.
    """
    names = {value_name(i): m for i, m in enumerate(mentions) if not is_scattered(m)}
    reweighed = []
    for sentence in sentences:
        counts = Counter(sentence.text.split())
        misuses = sum(abs(count_uses(counts, name, mention) - 1) for name, mention in names.items())
        reweighed.append(
            replace(sentence, score=sentence.score + misuses * math.log(_MISSING_VALUE_WEIGHT))
        )
    return sorted(reweighed, key=lambda sentence: -sentence.score)


def count_uses(words: Counter[str], name: str, mention: Mention) -> int:
    """How often the words of a sentence use a mention: its name, or its number as one of rows."""
    literals = (link.stored.value for link in mention.links if link.stored.is_literal())
    return words[name] + sum(words[str(value)] for value in literals if type(value) is int)


def measure_share(kept: Sequence[Sentence], written: Sequence[Sentence]) -> float:
    """The share of the probability of some sentences in that of all."""
    total = sum(math.exp(sentence.score) for sentence in written)
    return sum(math.exp(sentence.score) for sentence in kept) / total if total else 1.0
