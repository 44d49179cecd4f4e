"""Pairs of paths for questions with two conditions: both paths lead to the answers."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from trellis.training.synthesis.walks import SampledPath

_LONGER = 0.25  # share of the pairs of which one path has two steps, where there are any


@dataclass(frozen=True, slots=True)
class Pair:
    """Two paths that end in nodes of one label."""

    first: SampledPath
    second: SampledPath


class Pairs:
    """Draws pairs of paths that can meet, because their answers have a label in common."""

    def __init__(self, paths: Sequence[SampledPath]) -> None:
        self._short: dict[str, list[SampledPath]] = defaultdict(list)
        self._long: dict[str, list[SampledPath]] = defaultdict(list)
        for path in paths:
            label = path.labels[-1]
            if label is not None and len(path.steps) <= 2:
                (self._short if len(path.steps) == 1 else self._long)[label].append(path)
        self._labels = [label for label, short in self._short.items() if len(short) > 1]

    def __bool__(self) -> bool:
        return bool(self._labels)

    def draw_pair(self, random: random.Random) -> Pair:
        """A pair of paths; both may be the same path, which then starts from two topics."""
        sizes = [len(self._short[label]) for label in self._labels]
        label = random.choices(self._labels, sizes)[0]
        short = _pick_path(self._short[label], random)
        other = _pick_path(self._short[label], random)
        if self._long[label] and random.random() < _LONGER:
            other = _pick_path(self._long[label], random)
        return Pair(short, other) if random.random() < 0.5 else Pair(other, short)


def _pick_path(paths: Sequence[SampledPath], random: random.Random) -> SampledPath:
    return random.choices(paths, [path.weight for path in paths])[0]
