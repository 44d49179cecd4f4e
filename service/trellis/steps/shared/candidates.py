"""Candidates: choose which of the sentences that a model wrote are run in the database."""

from __future__ import annotations

import math
from collections.abc import Sequence

from trellis.domain.decoding import Sentence

_WORTH_RUNNING = 0.05
"""A candidate is run if it is at least this share as probable as the best: others cannot win."""


def worth_running(sentences: Sequence[Sentence]) -> list[Sentence]:
    """The sentences that can change the answer. `sentences` come best first, and stay so."""
    if not sentences:
        return []
    floor = sentences[0].score + math.log(_WORTH_RUNNING)
    return [sentence for sentence in sentences if sentence.score >= floor]
