"""Candidates: choose which of the sentences that a model wrote are run in the database."""

from __future__ import annotations

import math
from collections.abc import Sequence

from trellis.domain.models.decoding import Sentence

_LEAST_SHARE_OF_BEST = 0.05
"""A candidate is run if it is at least this share as probable as the best: others cannot win."""


def drop_improbable_sentences(sentences: Sequence[Sentence]) -> list[Sentence]:
    """The sentences that can change the answer. `sentences` come best first, and stay so."""
    if not sentences:
        return []
    floor = sentences[0].score + math.log(_LEAST_SHARE_OF_BEST)
    return [sentence for sentence in sentences if sentence.score >= floor]
