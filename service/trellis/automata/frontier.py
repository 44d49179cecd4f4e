"""Walks of one relation sequence, kept as the sets of nodes they reach at every step.

Plain algorithms over a neighbourhood's arrays: what one more step can reach, and whether the
walks that come back may (`Revisit`). Nothing is enumerated but, for simple walks, what must be.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from trellis.automata.adjacency import ranges
from trellis.domain.values import Neighbourhood, Revisit, Step

Nodes = NDArray[np.int32]
"""Node indices of a neighbourhood, ascending, none twice."""

Key = int
"""A relation with the direction it is walked in: `reversed * len(relation_types) + type`."""


@dataclass(frozen=True, eq=False)
class Pairs:
    """The relationships of one step: entry i goes from node `sources[i]` to `targets[i]`."""

    sources: NDArray[np.int32]
    targets: NDArray[np.int32]

    def where(self, keep: NDArray[np.bool_]) -> Pairs:
        return Pairs(self.sources[keep], self.targets[keep])

    def __len__(self) -> int:
        return len(self.targets)


@dataclass(frozen=True, eq=False)
class Front:
    """All walks from one anchor along one relation sequence.

    `layers[i]` are the nodes reached after i steps; `pairs[i]` joins layers i and i + 1 (kept
    only where something later asks for them).
    """

    anchor: int
    layers: tuple[Nodes, ...]
    pairs: tuple[Pairs, ...] = ()

    @property
    def tails(self) -> Nodes:
        return self.layers[-1]

    def sources(self, level: int, node: int) -> NDArray[np.int32]:
        """The nodes of layer `level - 1` that step to `node`."""
        pairs = self.pairs[level - 1]
        sources: NDArray[np.int32] = pairs.sources[pairs.targets == node]
        return sources


class Walker:
    """Steps fronts through a neighbourhood under one `revisit` rule; `keep`: keeps all pairs."""

    def __init__(self, neighbourhood: Neighbourhood, revisit: Revisit, *, keep: bool) -> None:
        self.neighbourhood = neighbourhood
        self.revisit = revisit
        self._keep = keep or revisit == "simple"
        kinds = len(neighbourhood.relation_types)
        self._kinds = kinds
        keys = neighbourhood.directions.astype(np.int32) * kinds + neighbourhood.types
        self._keys = keys.astype(np.int16) if 2 * kinds < 1 << 15 else keys  # sorts by radix

    def step(self, key: Key) -> Step:
        """What a key means."""
        return Step(self.neighbourhood.relation_types[key % self._kinds], key >= self._kinds)

    def origin(self, anchor: int) -> Front:
        return Front(anchor, (np.array([anchor], np.int32),))

    def after(self, front: Front, pairs: Pairs) -> Front:
        """The front one step on."""
        layers = (*front.layers, np.unique(pairs.targets))
        return Front(front.anchor, layers, (*front.pairs, pairs) if self._keep else ())

    def steps(self, nodes: Nodes) -> Mapping[Key, Pairs]:
        """All relationships of `nodes`, by relation and direction."""
        offsets = self.neighbourhood.offsets
        sizes = offsets[nodes + 1] - offsets[nodes]
        entries = ranges(offsets[nodes], sizes)
        keys = self._keys[entries]
        order = np.argsort(keys, kind="stable")
        keys = keys[order]
        sources = np.repeat(nodes, sizes)[order]
        targets = self.neighbourhood.targets[entries][order]
        cuts = np.concatenate(([0], np.flatnonzero(np.diff(keys)) + 1, [len(keys)]))
        return {int(keys[a]): Pairs(sources[a:b], targets[a:b]) for a, b in pairwise(cuts) if b > a}

    def admissible(self, front: Front, pairs: Pairs) -> Pairs:
        """Those of one step's relationships that `revisit` lets the front's walks take."""
        if self.revisit == "any":
            return pairs
        pairs = pairs.where(pairs.targets != front.anchor)
        if self.revisit == "not_topic" or not len(pairs):
            return pairs
        pairs = pairs.where(pairs.targets != pairs.sources)
        return self._simple(front, pairs)

    def reaching(self, targets: Nodes, hops: int) -> list[NDArray[np.bool_]]:
        """For j = 0 … hops: which nodes have a walk of at most j steps into `targets`."""
        neighbourhood = self.neighbourhood
        rows = np.repeat(np.arange(len(neighbourhood.nodes)), np.diff(neighbourhood.offsets))
        inside = np.zeros(len(neighbourhood.nodes), np.bool_)
        inside[targets] = True
        levels = [inside]
        for _ in range(hops):
            wider = levels[-1].copy()
            wider[rows[levels[-1][neighbourhood.targets]]] = True
            levels.append(wider)
        return levels

    def _simple(self, front: Front, pairs: Pairs) -> Pairs:
        """Drop what closes a circle: only nodes met before can, so only they are looked at."""
        if len(front.layers) < 3:  # one step so far: anchor and source are already excluded
            return pairs
        seen = np.isin(pairs.targets, np.concatenate(front.layers[1:-1]))
        keep = ~seen
        level = len(front.layers) - 1
        for at in np.flatnonzero(seen):
            source, target = int(pairs.sources[at]), int(pairs.targets[at])
            keep[at] = _avoids(front, level, source, frozenset((target,)))
        return pairs.where(keep)


def _avoids(front: Front, level: int, node: int, avoided: frozenset[int]) -> bool:
    """Whether a simple walk of the front ends in `node` at `level` and meets none of `avoided`."""
    if node in avoided:
        return False
    if level == 0:
        return True
    return any(
        _avoids(front, level - 1, int(source), avoided | {node})
        for source in front.sources(level, node)
    )
