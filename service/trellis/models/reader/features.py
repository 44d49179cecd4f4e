"""Texts as token ids with the numbers of their words, and which words of two texts are alike."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trellis.models.reader.words import hash_word, split_words

MOST_TOKENS = 192
"""Tokens of a question that are read; the rest is cut off."""

MOST_WORDS = 8
"""Words of a move, and of its context, that are compared with those of a question."""

_MOST_MOVE_TOKENS = 24


@dataclass(frozen=True, eq=False)
class EncodedText:
    """A text: `ids` [tokens], and the numbers of the word that each is part of [tokens, 3]."""

    ids: NDArray[np.int32]
    words: NDArray[np.int32]


class TextEncoder:
    """Encodes texts with the sentence encoder's tokenizer. `folder`: where that lies."""

    def __init__(self, folder: Path) -> None:
        from tokenizers import Tokenizer

        self._tokenizer: Any = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()

    def encode_question(self, text: str) -> EncodedText:
        """A question, between the encoder's own marks."""
        return self._encode(text, MOST_TOKENS)

    def encode_move_text(self, text: str) -> EncodedText:
        """What a move says, or its context."""
        return self._encode(text, _MOST_MOVE_TOKENS)

    def _encode(self, text: str, most: int) -> EncodedText:
        words = split_words(text)
        encoding = self._tokenizer.encode(words, is_pretokenized=True)
        ids = encoding.ids
        places = encoding.word_ids
        if len(ids) > most:
            ids, places = [*ids[: most - 1], ids[-1]], [*places[: most - 1], None]
        numbers = [hash_word(word) for word in words]
        rows = [numbers[place] if place is not None else (0, 0, 0) for place in places]
        return EncodedText(np.array(ids, np.int32), np.array(rows, np.int32).reshape(-1, 3))


def hash_move_words(text: str) -> NDArray[np.int32]:
    """The numbers of a move's words [MOST_WORDS, 3], with zeros behind them."""
    rows = np.zeros((MOST_WORDS, 3), np.int32)
    for row, word in enumerate(split_words(text)[:MOST_WORDS]):
        rows[row] = hash_word(word)
    return rows


def pad_rows(texts: Sequence[EncodedText]) -> tuple[NDArray[np.int32], NDArray[np.bool_]]:
    """The ids of texts [texts, tokens], and which are there."""
    longest = max((len(text.ids) for text in texts), default=1)
    ids = np.zeros((len(texts), longest), np.int32)
    seen = np.zeros((len(texts), longest), np.bool_)
    for row, text in enumerate(texts):
        ids[row, : len(text.ids)] = text.ids
        seen[row, : len(text.ids)] = True
    return ids, seen
