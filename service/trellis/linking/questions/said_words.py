"""The words of a question that texts say, in any form of them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from trellis.linking.names.spans import FUNCTION_WORDS
from trellis.linking.text import bare_words
from trellis.linking.values.value_index import has_same_stem

_WORD = re.compile(r"\w+")

Place = tuple[int, int]
"""Characters `[start, end)` of a text."""


def list_telling_words(question: str) -> frozenset[str]:
    """The words of a question, without those of grammar."""
    return frozenset(word for word in bare_words(question) if word not in FUNCTION_WORDS)


def find_said_words(texts: Sequence[str], question: str) -> list[list[Place]]:
    """For each text the places of words that the question says too, but for words of grammar."""
    asked: dict[str, list[str]] = {}
    for word in list_telling_words(question):
        asked.setdefault(word[0], []).append(word)
    known: dict[str, bool] = {}
    return [list(_find_places(text, asked, known)) for text in texts]


def _find_places(
    text: str, asked: Mapping[str, Sequence[str]], known: dict[str, bool]
) -> Iterator[Place]:
    """`asked`: the question's words by their first letter, which forms of one word share. `known`:
    of words that were compared before, whether they are said."""
    for match in _WORD.finditer(text):
        word = match.group()
        if (is_said := known.get(word)) is None:
            is_said = known[word] = _is_said(word, asked)
        if is_said:
            yield match.span()


def _is_said(word: str, asked: Mapping[str, Sequence[str]]) -> bool:
    return any(
        has_same_stem(said, part) for part in bare_words(word) for said in asked.get(part[0], ())
    )
