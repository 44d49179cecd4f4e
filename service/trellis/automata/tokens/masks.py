"""Token masks: int32 words over the padded vocabulary, laid out as xgrammar's bitmasks."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Mask = NDArray[np.int32]
"""Bit `t % 32` of word `t // 32` says whether token t is allowed."""

_FEW, _MANY = 8, 64


def count_words(size: int) -> int:
    """The number of int32 words in a mask over `size` tokens."""
    return (size + 31) // 32


def pack_mask(tokens: NDArray[np.int32], size: int) -> Mask:
    """The mask that allows exactly `tokens`."""
    if len(tokens) > _MANY:
        flags = np.zeros(32 * count_words(size), np.bool_)
        flags[tokens] = True
        return np.packbits(flags, bitorder="little").view("<i4").astype(np.int32, copy=False)
    mask = np.zeros(count_words(size), np.uint32)
    if len(tokens) > _FEW:
        np.bitwise_or.at(mask, tokens >> 5, np.uint32(1) << (tokens & 31).astype(np.uint32))
    else:
        for token in tokens.tolist():
            mask[token >> 5] |= 1 << (token & 31)
    return mask.view(np.int32)


def find_refused(mask: Mask, size: int, count: int) -> NDArray[np.int32]:
    """The first `count` tokens of a vocabulary of `size` that a mask refuses; fewer if all are."""
    words = np.flatnonzero(mask != -1)[: count + 1]
    found = [token for word in words.tolist() for token in _list_refused(mask, word)]
    return np.array([token for token in found if token < size][:count], np.int32)


def _list_refused(mask: Mask, word: int) -> list[int]:
    return [32 * word + bit for bit in range(32) if not int(mask[word]) >> bit & 1]


def unpack_mask(mask: Mask) -> NDArray[np.int32]:
    """The tokens that a mask allows, ascending."""
    bits = np.unpackbits(mask.view(np.uint8), bitorder="little")
    return np.flatnonzero(bits).astype(np.int32)
