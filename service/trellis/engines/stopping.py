"""A scorer that stops decoding when nobody waits for it any more."""

from __future__ import annotations

import threading
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from trellis.automata.tokens.vocabulary import Tokens
from trellis.decoding.scorer import Logits, Scorer


class StoppedError(Exception):
    """Ends decoding after a cancellation; it never leaves the thread that decodes."""


class StoppableScorer:
    """A scorer that raises StoppedError once `stop` is set."""

    def __init__(self, scorer: Scorer, stop: threading.Event) -> None:
        self._scorer = scorer
        self._stop = stop

    def begin(self, prompts: Sequence[Tokens]) -> None:
        self._raise_if_stopped()
        self._scorer.begin(prompts)

    def extend(self, parents: Sequence[int], tokens: Sequence[Tokens]) -> None:
        self._raise_if_stopped()
        self._scorer.extend(parents, tokens)

    def read_logits(self, rows: NDArray[np.intp], tokens: NDArray[np.intp]) -> Logits:
        return self._scorer.read_logits(rows, tokens)

    def measure_mass(
        self, rows: NDArray[np.intp], tokens: NDArray[np.intp] | None, temperature: float
    ) -> NDArray[np.float64]:
        return self._scorer.measure_mass(rows, tokens, temperature)

    def _raise_if_stopped(self) -> None:
        if self._stop.is_set():
            raise StoppedError
