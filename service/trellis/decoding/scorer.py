"""What decoding needs of a model: logits for rows of tokens that grow."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from trellis.automata.tokens.vocabulary import Tokens

Logits = NDArray[np.float32]
"""Logits [n] of n tokens, each after a text."""


class Scorer(Protocol):
    """A model that remembers the rows it has read.

    Logits are read apart, because a language allows few tokens of the vocabulary.
    """

    def begin(self, prompts: Sequence[Tokens]) -> None:
        """Read the prompts: one row for each."""
        ...

    def extend(self, parents: Sequence[int], tokens: Sequence[Tokens]) -> None:
        """Replace the rows: new row i is the old row `parents[i]` and then `tokens[i]`, at least
        one.

        Old rows without a child are forgotten.
        """
        ...

    def read_logits(self, rows: NDArray[np.intp], tokens: NDArray[np.intp]) -> Logits:
        """The logits [n] of `tokens[i]` as the next token of row `rows[i]`."""
        ...

    def measure_mass(
        self, rows: NDArray[np.intp], tokens: NDArray[np.intp] | None, temperature: float
    ) -> NDArray[np.float64]:
        """The log-sum-exp [rows] of the logits of some tokens, divided by a temperature, after each
        row; of the whole vocabulary where `tokens` is None."""
        ...
