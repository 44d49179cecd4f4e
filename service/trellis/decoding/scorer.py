"""What decoding needs of a model: logits for rows of tokens that grow."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from trellis.automata.vocabulary import Tokens

Logits = NDArray[np.float32]
"""Logits [rows, vocabulary] of the next token, one row for each text."""


class Scorer(Protocol):
    """A model that remembers the rows it has read."""

    def begin(self, prompts: Sequence[Tokens]) -> Logits:
        """Read the prompts; gives the logits of the token after each [rows, vocabulary]."""
        ...

    def extend(self, parents: Sequence[int], tokens: Sequence[Tokens]) -> Logits:
        """Replace the rows: new row i is the old row `parents[i]` and then `tokens[i]`, at least
        one.

        Gives the logits of the token after each new row. Old rows without a child are forgotten.
        """
        ...
