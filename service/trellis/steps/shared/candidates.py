"""Candidates: which of the sentences that a model wrote are worth running."""

from __future__ import annotations

import math
from collections.abc import Sequence

from trellis.domain.decoding import Sentence

_WORTH_RUNNING = 0.05
"""Candidates less probable than this share of the best are not run: they could not win."""


def worth_running(sentences: Sequence[Sentence]) -> list[Sentence]:
    """The candidates that can change the answer, best first."""
    if not sentences:
        return []
    floor = sentences[0].score + math.log(_WORTH_RUNNING)
    return [sentence for sentence in sentences if sentence.score >= floor]
