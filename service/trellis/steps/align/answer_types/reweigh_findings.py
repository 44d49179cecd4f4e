"""Reweigh findings: what some of them lose goes to the others, or to nothing being meant."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from trellis.domain.models.decoding import Sentence
from trellis.domain.replies.reply import Finding

_NONE_MEANT = 0.2
"""Share of what findings lose that goes to no finding being meant."""


def reweigh_findings(
    sentences: Sequence[Sentence], findings: Sequence[Finding], weights: Sequence[float]
) -> tuple[list[Sentence], tuple[Finding, ...]]:
    """The sentences and their findings, most probable first, by weights in (0, 1].

    What some lose goes to the others, but for what goes to nothing being meant.
    """
    gain = measure_gain([finding.probability for finding in findings], weights)
    pairs = [
        (
            replace(sentence, score=sentence.score + math.log(weight * gain)),
            replace(finding, probability=finding.probability * weight * gain),
        )
        for sentence, finding, weight in zip(sentences, findings, weights, strict=True)
    ]
    pairs.sort(key=lambda pair: -pair[0].score)
    return [sentence for sentence, _ in pairs], tuple(finding for _, finding in pairs)


def measure_gain(chances: Sequence[float], weights: Sequence[float]) -> float:
    """The factor on weighed probabilities that gives back what the weights took, but for the share
    that goes to nothing being meant."""
    before = math.fsum(chances)
    after = math.fsum(chance * weight for chance, weight in zip(chances, weights, strict=True))
    return before / (after + _NONE_MEANT * (before - after)) if before else 1.0
