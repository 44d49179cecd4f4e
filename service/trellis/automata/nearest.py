"""Finds the texts whose spelling is nearest to what was written, whatever the case."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher

import numpy as np
from numpy.typing import NDArray

_LOOKED_AT = 64
"""The most characters of what was written that are compared."""

_CLOSER = 20
"""For each text asked for, so many are compared letter by letter."""


def find_nearest_texts(texts: Sequence[str], written: str, n: int) -> list[int]:
    """The indices of the `n` texts nearest to the beginning of `written`, nearest first.

    Where in `written` the intended text ends is unknown. So each text is compared with as many
    characters as it has itself, and on to the end of that word. Of equally near texts the longer
    one comes first.
    """
    written = written.lstrip().lower()[:_LOOKED_AT]
    if not written:
        return list(range(min(n, len(texts))))
    some = _CLOSER * n
    likely = find_sharing_texts(texts, written, some) if len(texts) > some else range(len(texts))
    likeness = {i: _measure_likeness(texts[i].strip().lower(), written) for i in likely}
    return sorted(likeness, key=lambda i: (-likeness[i], -len(texts[i]), i))[:n]


def _measure_likeness(text: str, written: str) -> float:
    cut = len(written[len(text) :].split(" ", 1)[0]) if text else 0
    window = written[: len(text) + cut].rstrip()
    return SequenceMatcher(None, text, window, autojunk=False).ratio()


def find_sharing_texts(texts: Sequence[str], written: str, n: int) -> list[int]:
    """The indices of the `n` texts that share most letter pairs with `written`, for their
    length."""
    lowered = [text.strip().lower() for text in texts]
    lengths = np.fromiter(map(len, lowered), np.int64, len(lowered))
    pairs = np.isin(
        _encode_letter_pairs("".join(lowered)), np.unique(_encode_letter_pairs(written))
    )
    sums = np.concatenate(([0], np.cumsum(pairs)))
    ends = np.cumsum(lengths)
    last = np.maximum(ends - 1, ends - lengths)  # without the pair that reaches into the next text
    shared = sums[np.minimum(last, len(pairs))] - sums[np.minimum(ends - lengths, len(pairs))]
    weight = shared * shared / np.maximum(lengths, 1)
    best: list[int] = np.argsort(-weight, kind="stable")[:n].tolist()
    return best


def _encode_letter_pairs(text: str) -> NDArray[np.int64]:
    """Each pair of neighbouring letters as one number [len(text) - 1]."""
    points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32).astype(np.int64)
    return points[:-1] << 21 | points[1:]
