"""What decoding asks of a model: logits for rows of tokens that grow."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from trellis.automata.vocabulary import Tokens

Logits = NDArray[np.float32]
"""One row for each text, one column for each token of the vocabulary."""


class Scorer(Protocol):
    """A model with a memory of the rows it has read."""

    def begin(self, prompts: Sequence[Tokens]) -> Logits:
        """Read the prompts; logits of the token after each [rows, vocabulary]."""
        ...

    def extend(self, parents: Sequence[int], tokens: Sequence[Tokens]) -> Logits:
        """Row i of the new rows is old row `parents[i]` and then `tokens[i]` (at least one).

        Old rows that are nobody's parent are forgotten.
        """
        ...
