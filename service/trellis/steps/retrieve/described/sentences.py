"""The sentences of a passage, and the parts of it that show what a question asks."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import replace

from trellis.domain.graphs.facts import LONGEST_TEXT
from trellis.domain.graphs.texts import Passage
from trellis.linking.questions.said_words import list_telling_words
from trellis.linking.text import bare_words
from trellis.linking.values.value_index import has_same_stem

_SENTENCE = re.compile(r"\S.*?(?:[.!?](?=\s|$)|$)", re.DOTALL)
_LEAST_LETTERS = 15  # of a sentence: shorter ones are endings of abbreviations
_SHOWN = 300  # characters of a passage that is longer


def split_sentences(passage: Passage) -> Iterator[Passage]:
    """The sentences of a passage, each with its place in the whole text."""
    for match in _SENTENCE.finditer(passage.text):
        if len(match.group()) >= _LEAST_LETTERS:
            text = match.group()[:LONGEST_TEXT]
            yield replace(passage, start=passage.start + match.start(), text=text)


def find_telling_part(passage: Passage, question: str) -> Passage:
    """The part of a long passage that shows most: from the sentence that says most words of a
    question on, as far as some lines reach; a short passage whole."""
    if len(passage.text) <= _SHOWN:
        return passage
    asked = list_telling_words(question)
    sentences = list(split_sentences(passage))
    if not sentences:
        return replace(passage, text=passage.text[:_SHOWN])
    best = max(sentences, key=lambda each: _count_said(each, asked))
    offset = best.start - passage.start
    ends = [each.start + len(each.text) - passage.start for each in sentences]
    end = max((end for end in ends if offset < end <= offset + _SHOWN), default=offset + _SHOWN)
    return replace(passage, start=best.start, text=passage.text[offset:end])


def cut_around(text: Passage, start: int, end: int) -> Passage:
    """The sentence of a text in which some of its characters stand, or, where that is long, what is
    around them."""
    for sentence in split_sentences(text):
        first = sentence.start - text.start
        if first <= start and end <= first + len(sentence.text) <= first + _SHOWN:
            return sentence
    first = max(0, min(start, (start + end - _SHOWN) // 2))
    cut = text.text[first : max(end, first + _SHOWN)]
    return replace(text, start=text.start + first, text=cut)


def _count_said(sentence: Passage, asked: Collection[str]) -> int:
    said = bare_words(sentence.text)
    return sum(any(has_same_stem(word, each) for each in said) for word in asked)
