"""What decoding needs of an engine that runs many requests at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from trellis.automata.tokens.masks import Mask
from trellis.automata.tokens.vocabulary import Tokens


@dataclass(frozen=True, slots=True)
class TopTokens:
    """The likeliest tokens with their log-probabilities, renormalised over a mask.

    `share`: the log of the share of probability that the mask left.
    """

    tokens: NDArray[np.int32]
    scores: NDArray[np.float64]
    share: float


@dataclass(frozen=True, slots=True)
class Completion:
    """The tokens of one finished request, without the end-of-text token, and their
    log-probability."""

    tokens: Tokens
    score: float


class Engine(Protocol):
    """A model behind a scheduler. Cancelling a call ends its request."""

    @property
    def top_limit(self) -> int:
        """The most tokens that `find_top_tokens` can give at once."""
        ...

    async def find_top_tokens(
        self, prompt: Tokens, mask: Mask, count: int, temperature: float, alphabet: Mask | None
    ) -> TopTokens:
        """The `count` likeliest tokens after a prompt among those that a mask allows.

        `alphabet`: the tokens of whose probability the mask's share is told; None: all.
        """
        ...

    async def write_completions(
        self,
        prompt: Tokens,
        language: bytes,
        budget: int,
        samples: int,
        temperature: float,
        seed: int,
    ) -> Sequence[Completion]:
        """Completions inside an encoded language: one greedy one where `samples` is 0, else so many
        samples.

        `budget`: the most tokens of each.
        """
        ...
