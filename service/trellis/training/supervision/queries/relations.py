"""Steps of sets of nodes through a neighbourhood, as one `MATCH` takes them.

Cypher takes no relationship twice in a pattern: a step back over the one that led here is left
out, all else is a step of sets. Plain arithmetic over arrays, no I/O.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from trellis.automata.cypher.meaning.query import Direction
from trellis.automata.paths.adjacency import concatenate_ranges
from trellis.automata.paths.frontier import Nodes
from trellis.domain.graphs.graph import Neighbourhood

Mask = NDArray[np.bool_]
_SIDES: dict[Direction, tuple[int, ...]] = {"out": (0,), "in": (1,), "any": (0, 1)}
_NONE = np.empty(0, np.int32)


@dataclass(frozen=True, eq=False, slots=True)
class TakenRelationships:
    """The relationships of a last step: entry i went from `sources[i]` to `targets[i]`, against
    its arrow where `sides[i]` is 1."""

    type: str
    sources: NDArray[np.int32]
    targets: NDArray[np.int32]
    sides: NDArray[np.int64]


class Relations:
    """The relationships of a neighbourhood by type and direction."""

    def __init__(self, around: Neighbourhood) -> None:
        self.number = {node: index for index, node in enumerate(around.nodes)}
        self.count = len(around.nodes)
        self._around = around
        sources = np.repeat(np.arange(self.count, dtype=np.int32), np.diff(around.offsets))
        self._sources, self._targets = sources, around.targets
        order = around.keys.argsort(kind="stable")
        keys = around.keys[order]
        cuts = np.flatnonzero(keys[1:] != keys[:-1]) + 1
        bounds = pairwise((0, *cuts.tolist(), len(keys))) if len(keys) else ()
        self._of = {
            self._find_type(int(keys[a])): (sources[order[a:b]], around.targets[order[a:b]])
            for a, b in bounds
        }

    def follow_type(
        self, nodes: Nodes, type: str, direction: Direction, last: TakenRelationships | None
    ) -> TakenRelationships:
        """The relationships of a type that lead on from some nodes."""
        parts = [(*self._find_leaving(nodes, type, side), side) for side in _SIDES[direction]]
        taken = TakenRelationships(
            type,
            np.concatenate([sources for sources, _, _ in parts]),
            np.concatenate([targets for _, targets, _ in parts]),
            np.concatenate([np.full(len(s), side) for s, _, side in parts]),
        )
        if last is None or last.type != type or not len(taken.sources):
            return taken
        return _find_rows(taken, self._find_fresh(taken, last))

    def find_within(self, nodes: Nodes, hops: int) -> list[Mask]:
        """For 0 to `hops`: which nodes are at most so many steps away from some."""
        mask: Mask = np.zeros(self.count, bool)
        mask[nodes] = True
        masks = [mask]
        for _ in range(hops):
            mask = mask.copy()
            mask[self._sources[masks[-1][self._targets]]] = True
            masks.append(mask)
        return masks

    def find_indices(self, ids: frozenset[str]) -> Nodes:
        """The nodes that are here, by id."""
        indices = [self.number[node] for node in ids if node in self.number]
        return np.array(sorted(indices), np.int32)

    def _find_type(self, key: int) -> tuple[str, int]:
        kinds = self._around.relation_types
        return kinds[key % len(kinds)], key // len(kinds)

    def _find_leaving(self, nodes: Nodes, type: str, side: int) -> tuple[Nodes, Nodes]:
        sources, targets = self._of.get((type, side), (_NONE, _NONE))
        starts = np.searchsorted(sources, nodes)
        sizes = np.searchsorted(sources, nodes, side="right") - starts
        entries = concatenate_ranges(starts, sizes)
        return sources[entries], targets[entries]

    def _find_fresh(self, taken: TakenRelationships, last: TakenRelationships) -> Mask:
        """Which relationships need not be the one by which their source was come to."""
        came = np.bincount(last.targets, minlength=self.count)
        before = self._encode_pairs(last.targets, last.sources, last.sides)
        before.sort()
        back = self._encode_pairs(taken.sources, taken.targets, 1 - taken.sides)
        same = np.searchsorted(before, back, side="right") - np.searchsorted(before, back)
        fresh: Mask = (came[taken.sources] > same) | (same > 1)
        return fresh

    def _encode_pairs(
        self, at: NDArray[np.int32], other: NDArray[np.int32], sides: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        codes: NDArray[np.int64] = (at.astype(np.int64) * self.count + other) * 2 + sides
        return codes


def _find_rows(taken: TakenRelationships, keep: Mask) -> TakenRelationships:
    return replace(
        taken, sources=taken.sources[keep], targets=taken.targets[keep], sides=taken.sides[keep]
    )


def keep_arriving(taken: TakenRelationships | None, nodes: Nodes) -> TakenRelationships | None:
    """The relationships of a last step that end in some nodes."""
    return _find_rows(taken, np.isin(taken.targets, nodes)) if taken else None
