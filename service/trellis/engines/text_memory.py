"""What a network remembers of texts: shared by all rows that begin with them, and kept for later.

A prompt is the same for all beams and all languages of a question, and its instructions, schema and
examples are those of other questions too. What was read of a text need not be read again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

import torch
from torch import Tensor

from trellis.automata.tokens.vocabulary import Tokens


@dataclass(frozen=True, slots=True)
class KeysValues:
    """The keys and the values of a layer [rows, time, heads, size of a head]."""

    keys: Tensor
    values: Tensor

    def keep_rows(self, rows: Tensor) -> KeysValues:
        """New row i is the old row `rows[i]`."""
        return KeysValues(self.keys.index_select(0, rows), self.values.index_select(0, rows))

    def append_block(self, block: KeysValues) -> KeysValues:
        """With a block that comes after them."""
        return KeysValues(
            torch.cat((self.keys, block.keys), 1), torch.cat((self.values, block.values), 1)
        )

    def cut(self, time: int) -> KeysValues:
        """The first columns."""
        return KeysValues(self.keys[:, :time], self.values[:, :time])


@dataclass(frozen=True, slots=True)
class TextMemory:
    """What a network remembers of a text; `layers`: of one row, a layer each."""

    tokens: Tokens
    layers: tuple[KeysValues, ...]

    def cut(self, length: int) -> TextMemory:
        """What it remembers of the text's first tokens."""
        if length == len(self.tokens):
            return self
        return TextMemory(self.tokens[:length], tuple(layer.cut(length) for layer in self.layers))


class KeptTexts:
    """The texts that a network read last; `most`: how many are kept."""

    def __init__(self, most: int = 4) -> None:
        self._most = most
        self._kept: list[TextMemory] = []  # the last used one at the end

    def find_beginning(self, tokens: Tokens) -> TextMemory | None:
        """The longest beginning of a text that is remembered; None where that is none of it."""
        lengths = [count_common(memory.tokens, tokens) for memory in self._kept]
        longest = max(lengths, default=0)
        return self._kept[lengths.index(longest)].cut(longest) if longest else None

    def keep(self, memory: TextMemory) -> None:
        """Keep a text, in place of those that it begins with, or of the one used least recently."""
        length = len(memory.tokens)
        same = (kept for kept in self._kept if kept.tokens[:length] == memory.tokens)
        longest = next(same, memory)
        others = [it for it in self._kept if longest.tokens[: len(it.tokens)] != it.tokens]
        self._kept = [*others, longest][-self._most :]


def find_common_beginning(rows: Sequence[Tokens]) -> Tokens:
    """The tokens with which all rows begin, without the last token of the shortest: each row has
    something left to read."""
    first, last = min(rows), max(rows)
    shortest = min(map(len, rows))
    return first[: min(count_common(first, last), shortest - 1)]


def count_common(left: Tokens, right: Tokens) -> int:
    """How many tokens two texts begin with in common."""
    pairs = zip(left, right, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
