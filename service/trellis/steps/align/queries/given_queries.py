"""Given queries: the queries that were given for questions with the same words, but for values.

Whoever gives a question with its query wants it answered so for other values, too, although a model
that learnt it among thousands may have kept another one of much the same words in mind.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace

from trellis.automata.cypher.canonical import follow_moves
from trellis.automata.cypher.language import CypherLanguage
from trellis.domain.decoding import Sentence
from trellis.domain.errors import CypherReadError
from trellis.steps.retrieve.queries.query_prompt import drop_masked_kinds

GivenQuery = tuple[str, ...]
"""The words of a question, and the segments of the sentence of its query."""

MOST_GIVEN = 10_000

_SHARE = 0.9
"""Of the probability, for a query that was given: of 85 questions of POLE's dev split that have the
words of one in train, 80 have its query."""

_NUMBER = re.compile(r"\bnumber: (\d+)\)")
_WORD = re.compile(r"[\w']+|[+-]")


def read_words(masked_question: str) -> str:
    """The words of a question whose values are masked, whatever these are."""
    return " ".join(_WORD.findall(drop_masked_kinds(masked_question.lower())))


def collect_given(
    examples: Iterable[tuple[str, Sequence[str]]], most: int = MOST_GIVEN
) -> tuple[GivenQuery, ...]:
    """The queries by the words of masked questions, those that were given most often first.

    Of several for the same words it is what more than half of them have; else there is none, and
    neither is one that has as many rows as the question says.
    """
    given: dict[str, Counter[tuple[str, ...]]] = defaultdict(Counter)
    for question, segments in examples:
        if set(_NUMBER.findall(question)).isdisjoint(" ".join(segments).split()):
            given[read_words(question)][tuple(segments)] += 1
    sure = []
    for words, queries in given.items():
        [(segments, count)] = queries.most_common(1)
        if 2 * count > queries.total():
            sure.append((count, (words, *segments)))
    sure.sort(key=lambda pair: -pair[0])
    return tuple(row for _, row in sure[:most])


def prefer_given(
    masked_question: str,
    sentences: Sequence[Sentence],
    language: CypherLanguage,
    given: Sequence[GivenQuery],
) -> list[Sentence]:
    """The sentences, most probable first, where most of the probability goes to the query that was
    given for the same words; as they are where none was, or where the language has no such one."""
    words = read_words(masked_question)
    segments = next((rest for known, *rest in given if known == words), None)
    if segments is None:
        return list(sentences)
    try:
        state = follow_moves(language, segments)
    except CypherReadError:
        return list(sentences)
    text = state.text.strip()
    total = math.fsum(math.exp(each.score) for each in sentences) or 1.0
    own = math.fsum(math.exp(each.score) for each in sentences if each.text == text)
    chance = _SHARE * total + (1 - _SHARE) * own
    meant = Sentence(text, (), language.values(state), math.log(chance), 0)
    others = [
        replace(each, score=each.score + math.log(1 - _SHARE))
        for each in sentences
        if each.text != text
    ]
    return [meant, *others]
