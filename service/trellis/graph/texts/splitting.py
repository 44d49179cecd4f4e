"""Cuts a text into passages that an embedder reads whole."""

from __future__ import annotations

import re
from collections.abc import Iterator

_WORDS = 150  # of a passage: some 200 tokens, of the 256 that the usual embedder reads
_STEP = 120  # words from one passage to the next: what a cut parts stands whole in one of them
_MOST_PASSAGES = 50  # of one text; what is behind them is found by its words alone
_LONGEST_WORD = 40  # characters: longer ones are data, such as a key or a picture
_WORD = re.compile(r"\S+")


def split_passages(text: str) -> Iterator[tuple[int, int]]:
    """The passages of a text, as the characters where each begins and ends."""
    words = [match.span() for match in _WORD.finditer(text) if _is_word(match)]
    for count, first in enumerate(range(0, len(words), _STEP)):
        last = min(first + _WORDS, len(words))
        yield words[first][0], words[last - 1][1]
        if last == len(words) or count + 1 == _MOST_PASSAGES:
            return


def _is_word(match: re.Match[str]) -> bool:
    return match.end() - match.start() <= _LONGEST_WORD
