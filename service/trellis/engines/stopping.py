"""A scorer that stops decoding when nobody waits for it any more."""

from __future__ import annotations

import threading
from collections.abc import Sequence

from trellis.automata.vocabulary import Tokens
from trellis.decoding.scorer import Logits, Scorer


class StoppedError(Exception):
    """Ends decoding after a cancellation; it never leaves the thread that decodes."""


class StoppableScorer:
    """A scorer that raises StoppedError once `stop` is set."""

    def __init__(self, scorer: Scorer, stop: threading.Event) -> None:
        self._scorer = scorer
        self._stop = stop

    def begin(self, prompts: Sequence[Tokens]) -> Logits:
        self._raise_if_stopped()
        return self._scorer.begin(prompts)

    def extend(self, parents: Sequence[int], tokens: Sequence[Tokens]) -> Logits:
        self._raise_if_stopped()
        return self._scorer.extend(parents, tokens)

    def _raise_if_stopped(self) -> None:
        if self._stop.is_set():
            raise StoppedError
