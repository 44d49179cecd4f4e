"""The segments of walks: each is encoded alone, in training as in decoding."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from hashlib import blake2b

import numpy as np

from trellis.domain.graphs.graph import Step
from trellis.domain.identifiers import put_last_first


def step_text(step: Step) -> str:
    """The segment of one step: ` -> relation`, or ` <- relation` where it is walked backwards.

    A relation with namespaces is said from its last part on, so that what tells most comes first.
    """
    return _write_step(step.relation, step.reversed)


@lru_cache(maxsize=1 << 16)
def _write_step(relation: str, is_reversed: bool) -> str:
    """The text, remembered: all questions speak of the same few relations."""
    return f" {'<-' if is_reversed else '->'} {put_last_first(relation)}"


def lead_text(step: Step) -> str:
    """The arrow that is said before the node that a step leads to."""
    return " <-" if step.reversed else " ->"


def measure_longest(texts: Sequence[str]) -> int:
    """The bytes that the longest text takes in UTF-8."""
    return max((len(text.encode("utf-8", "surrogatepass")) for text in texts), default=0)


def digest_texts(texts: Sequence[str]) -> bytes:
    """A short key for thousands of texts: 16 bytes that are equal only for equal texts."""
    lengths = np.fromiter(map(len, texts), np.int64, len(texts))
    joined = "".join(texts).encode("utf-8", "surrogatepass")
    return blake2b(lengths.tobytes() + joined, digest_size=16).digest()
