"""Questions with two conditions: what is reached from one topic and from another."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from trellis.training.synthesis.walks import SampledPath

_LONGER = 0.25  # how often one of the two paths has two steps


@dataclass(frozen=True, slots=True)
class Pair:
    """Two paths that end in nodes of one label."""

    one: SampledPath
    other: SampledPath


class Pairs:
    """Draws pairs of paths that can meet: their answers have a label in common."""

    def __init__(self, found: Sequence[SampledPath]) -> None:
        self._short: dict[str, list[SampledPath]] = defaultdict(list)
        self._long: dict[str, list[SampledPath]] = defaultdict(list)
        for trail in found:
            label = trail.labels[-1]
            if label is not None and len(trail.steps) <= 2:
                (self._short if len(trail.steps) == 1 else self._long)[label].append(trail)
        self._labels = [label for label, trails in self._short.items() if len(trails) > 1]

    def __bool__(self) -> bool:
        return bool(self._labels)

    def draw_pair(self, random: random.Random) -> Pair:
        """Two different paths mostly; sometimes the same one, from two topics."""
        sizes = [len(self._short[label]) for label in self._labels]
        label = random.choices(self._labels, sizes)[0]
        one, other = (
            _pick_trail(self._short[label], random),
            _pick_trail(self._short[label], random),
        )
        if self._long[label] and random.random() < _LONGER:
            other = _pick_trail(self._long[label], random)
        return Pair(one, other) if random.random() < 0.5 else Pair(other, one)


def _pick_trail(trails: Sequence[SampledPath], random: random.Random) -> SampledPath:
    return random.choices(trails, [trail.weight for trail in trails])[0]
