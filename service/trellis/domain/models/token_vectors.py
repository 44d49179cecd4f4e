"""The vectors of a text's tokens, each in its context."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, eq=False)
class TokenVectors:
    """A text, the spans of its tokens in it, and their unit vectors [tokens, dimensions]."""

    text: str
    spans: tuple[tuple[int, int], ...]
    vectors: NDArray[np.float32]
