"""Near words: how near words come to those that somebody said, by what they mean."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from trellis.domain.ports import Embedder


async def measure_nearness(
    words: Sequence[str], said: Sequence[str], embedder: Embedder
) -> NDArray[np.float32]:
    """For each of n words the cosine with the nearest that is said [n]; zeros where none is."""
    if not words or not said:
        return np.zeros(len(words), np.float32)
    vectors = await asyncio.to_thread(embedder.embed, [*said, *words])
    nearest: NDArray[np.float32] = (vectors[len(said) :] @ vectors[: len(said)].T).max(axis=1)
    return nearest
