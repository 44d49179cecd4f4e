"""What decoding asks of an engine that runs many requests at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from trellis.automata.masks import Mask
from trellis.automata.vocabulary import Tokens


@dataclass(frozen=True, slots=True)
class Likely:
    """Tokens with their log-probabilities, renormalised over a mask; at least the likeliest."""

    tokens: NDArray[np.int32]
    scores: NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Written:
    """Tokens that a request said, without what ended it, and their log-probability."""

    tokens: Tokens
    score: float


class Engine(Protocol):
    """A model behind a scheduler. To stop waiting is to end the request."""

    @property
    def most(self) -> int:
        """Tokens that `next` can give at once."""
        ...

    async def next(self, prompt: Tokens, mask: Mask, count: int, temperature: float) -> Likely:
        """The `count` likeliest tokens after a prompt, of those that a mask allows."""
        ...

    async def write(
        self,
        prompt: Tokens,
        language: bytes,
        budget: int,
        samples: int,
        temperature: float,
        seed: int,
    ) -> Sequence[Written]:
        """One answer inside a language, greedily (`samples` 0), or so many that are sampled."""
        ...
