"""Calibration: makes a model's own probabilities match how often it is right.

Source: "On Calibration of Modern Neural Networks" (Guo et al. 2017), sections 2 and 4.2.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

BIAS = "bias"
"""The name of the feature that is always 1."""

DIRECTION = "direction"
"""The name of the share of a sentence's probability among those that differ from it in the
directions of relationships alone; it is no feature of a regression."""


def temper_probabilities(probabilities: Sequence[float], temperature: float) -> list[float]:
    """The probabilities (sum <= 1) that a softmax at `temperature` would have given.

    The rest up to 1 counts as one more outcome, "none of these", and is tempered like the others.
    """
    if temperature == 1.0:
        return list(probabilities)
    rest = max(0.0, 1.0 - math.fsum(probabilities))
    powers = [p ** (1 / temperature) for p in (*probabilities, rest)]
    total = math.fsum(powers)
    return [power / total for power in powers[:-1]] if total else list(probabilities)


def logistic(features: Mapping[str, float], weights: Mapping[str, float]) -> float:
    """The probability in (0, 1) by logistic regression: `features` are its features by name.

    A feature without a weight is ignored.
    """
    total = weights.get(BIAS, 0.0)
    total += math.fsum(weights.get(name, 0.0) * value for name, value in features.items())
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, total))))


def estimate_confidence(features: Mapping[str, float], weights: Mapping[str, float]) -> float:
    """The probability in (0, 1) that an answer is right: that of its features by logistic
    regression, times the share of its direction (`DIRECTION`; 1 where that is not among them).

    What differs from a sentence in direction alone explains a question as well as it does, so no
    other feature can tell the two apart.
    """
    return features.get(DIRECTION, 1.0) * logistic(features, weights)


def log_odds(probability: float) -> float:
    """ln(p / (1 - p)), with p clipped to [0.001, 0.999]."""
    clipped = min(max(probability, 1e-3), 1 - 1e-3)
    return math.log(clipped / (1 - clipped))
