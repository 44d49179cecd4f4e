"""Which of many texts are nearest to what was written: in spelling, whatever the case."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher

import numpy as np
from numpy.typing import NDArray

_LOOKED_AT = 64
"""How many characters of what was written are compared at most."""

_CLOSER = 20
"""How many times more texts than asked for are compared letter by letter."""


def nearest(texts: Sequence[str], written: str, n: int) -> list[int]:
    """The indices of the `n` texts nearest to the beginning of `written`, nearest first.

    How far `written` means to be one text is not known: each text is held against as many of its
    characters as it has itself, and on to the end of the word. Of texts as near the longer one
    comes first.
    """
    written = written.lstrip().lower()[:_LOOKED_AT]
    if not written:
        return list(range(min(n, len(texts))))
    some = _CLOSER * n
    likely = sharing(texts, written, some) if len(texts) > some else range(len(texts))
    likeness = {i: _likeness(texts[i].strip().lower(), written) for i in likely}
    return sorted(likeness, key=lambda i: (-likeness[i], -len(texts[i]), i))[:n]


def _likeness(text: str, written: str) -> float:
    cut = len(written[len(text) :].split(" ", 1)[0]) if text else 0
    window = written[: len(text) + cut].rstrip()
    return SequenceMatcher(None, text, window, autojunk=False).ratio()


def sharing(texts: Sequence[str], written: str, n: int) -> list[int]:
    """The `n` texts that share most letter pairs with `written`, for what they have."""
    lowered = [text.strip().lower() for text in texts]
    lengths = np.fromiter(map(len, lowered), np.int64, len(lowered))
    pairs = np.isin(_pairs("".join(lowered)), np.unique(_pairs(written)))
    sums = np.concatenate(([0], np.cumsum(pairs)))
    ends = np.cumsum(lengths)
    last = np.maximum(ends - 1, ends - lengths)  # the pair that reaches into the next text is out
    shared = sums[np.minimum(last, len(pairs))] - sums[np.minimum(ends - lengths, len(pairs))]
    weight = shared * shared / np.maximum(lengths, 1)
    found: list[int] = np.argsort(-weight, kind="stable")[:n].tolist()
    return found


def _pairs(text: str) -> NDArray[np.int64]:
    """Each two letters that stand together, as one number."""
    points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32).astype(np.int64)
    return points[:-1] << 21 | points[1:]
