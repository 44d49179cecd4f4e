"""The words of a question that texts say, in any form of them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from trellis.linking.spans import FUNCTION_WORDS
from trellis.linking.text import bare_words
from trellis.linking.value_index import has_same_stem

_WORD = re.compile(r"\w+")

Place = tuple[int, int]
"""Characters `[start, end)` of a text."""


def list_telling_words(question: str) -> frozenset[str]:
    """The words of a question, without those of grammar."""
    return frozenset(word for word in bare_words(question) if word not in FUNCTION_WORDS)


def find_said_words(texts: Sequence[str], question: str) -> list[list[Place]]:
    """For each text the places of words that the question says too, but for words of grammar."""
    asked = list_telling_words(question)
    known: dict[str, bool] = {}
    return [list(_find_places(text, asked, known)) for text in texts]


def _find_places(text: str, asked: frozenset[str], known: dict[str, bool]) -> Iterator[Place]:
    """`known`: of words that were compared before, whether they are said."""
    for match in _WORD.finditer(text):
        word = match.group()
        if word not in known:
            known[word] = any(
                has_same_stem(said, part) for said in asked for part in bare_words(word)
            )
        if known[word]:
            yield match.span()
