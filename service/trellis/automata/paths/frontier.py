"""Walks of one relation sequence, held as the sets of nodes that they reach at every step.

Plain algorithms over arrays of relationships. They find what one more step can reach, and drop
walks that come back where `Revisit` forbids it. Only simple walks are enumerated, and only in part.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from trellis.automata.paths.adjacency import concatenate_ranges
from trellis.automata.paths.segments import step_text
from trellis.domain.graphs.graph import Neighbourhood, Revisit, Step

Nodes = NDArray[np.int32]
"""Distinct node indices of a neighbourhood, ascending."""

Key = int
"""A relation with the direction it is walked in, as a number of its `Relationships`."""


@dataclass(frozen=True, eq=False)
class NodePairs:
    """The relationships of one step: entry i goes from node `sources[i]` to `targets[i]`."""

    sources: NDArray[np.int32]
    targets: NDArray[np.int32]

    def select(self, keep: NDArray[np.bool_]) -> NodePairs:
        return NodePairs(self.sources[keep], self.targets[keep])

    @cached_property
    def arrivals(self) -> NodePairs:
        """The distinct pairs, sorted by target."""
        joined = np.unique(self.targets.astype(np.int64) << 32 | self.sources)
        return NodePairs((joined & 0xFFFFFFFF).astype(np.int32), (joined >> 32).astype(np.int32))

    def __len__(self) -> int:
        return len(self.targets)


_FEW_ASKED = 2


class StepsByRelation(Mapping[Key, NodePairs]):
    """The relationships that may be taken next, by relation; relations ascend.

    Most relations are offered and never taken. So the relationships of one are looked for when they
    are asked for, and only from the third time on all are sorted.
    """

    def __init__(self, pairs: NodePairs, keys: NDArray[np.integer[Any]]) -> None:
        """`keys` [m]: the relation of each of the m relationships."""
        self._pairs, self._keys = pairs, keys
        self._asked = 0
        self._listed: list[Key] = np.bincount(keys).nonzero()[0].tolist()

    @cached_property
    def _sorted(self) -> dict[Key, NodePairs]:
        order = self._keys.argsort(kind="stable")
        sources, targets = self._pairs.sources[order], self._pairs.targets[order]
        cuts = np.flatnonzero(np.diff(self._keys[order])) + 1
        bounds = pairwise((0, *cuts.tolist(), len(order)))
        pairs = (NodePairs(sources[a:b], targets[a:b]) for a, b in bounds)
        return dict(zip(self._listed, pairs, strict=True)) if len(order) else {}

    def __getitem__(self, key: Key) -> NodePairs:
        self._asked += 1
        if self._asked > _FEW_ASKED:
            return self._sorted[key]
        taken = self._pairs.select(self._keys == key)
        if not len(taken):
            raise KeyError(key)
        return taken

    def __contains__(self, key: object) -> bool:
        return key in self._listed

    def __iter__(self) -> Iterator[Key]:
        return iter(self._listed)

    def __len__(self) -> int:
        return len(self._listed)


@dataclass(frozen=True, eq=False)
class Front:
    """All walks from one anchor along one relation sequence.

    `layers[i]` are the nodes reached after i steps. `pairs[i]` joins layers i and i + 1; it is
    empty where the walker does not keep pairs.
    """

    anchor: int
    layers: tuple[Nodes, ...]
    pairs: tuple[NodePairs, ...] = ()

    @property
    def tails(self) -> Nodes:
        return self.layers[-1]


_FEW = 4
_CHUNK = 1_000


class Relationships(Protocol):
    """The relationships that a walker takes: rows of entries, one row for each node.

    `targets`, `keys`: of each entry the node that it leads to, and its relation with direction.
    """

    @property
    def targets(self) -> NDArray[np.int32]: ...

    @property
    def keys(self) -> NDArray[np.integer[Any]]: ...

    def find_rows(self, nodes: Nodes) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The first entry of each node's row, and how many entries it has."""
        ...

    def step_of_key(self, key: Key) -> Step:
        """The step that a key stands for."""
        ...


class Walker:
    """Takes fronts through relationships, step by step, under one `revisit` rule.

    `keep_pairs`: whether fronts hold the pairs of every step; simple walks need them in any case.
    """

    def __init__(self, relationships: Relationships, revisit: Revisit, *, keep_pairs: bool) -> None:
        self.relationships = relationships
        self.revisit = revisit
        self._keep_pairs = keep_pairs or revisit == "simple"
        self._texts: dict[Key, str] = {}

    def step_of_key(self, key: Key) -> Step:
        """The step that a key stands for."""
        return self.relationships.step_of_key(key)

    def start_front(self, anchor: int) -> Front:
        return Front(anchor, (np.array([anchor], np.int32),))

    def advance_front(self, front: Front, pairs: NodePairs) -> Front:
        """The front after one more step, along `pairs`."""
        layers = (*front.layers, sort_distinct(pairs.targets))
        return Front(front.anchor, layers, (*front.pairs, pairs) if self._keep_pairs else ())

    def text_of_key(self, key: Key) -> str:
        """The segment that says the step of a key."""
        text = self._texts.get(key)
        if text is None:
            text = self._texts[key] = step_text(self.step_of_key(key))
        return text

    def find_next_steps(
        self, front: Front, wanted: NDArray[np.bool_] | None = None
    ) -> StepsByRelation:
        """The relationships that the front's walks may take next, by relation and direction.

        `wanted` [n]: the nodes that they may lead to; None: all.
        """
        nodes, relationships = front.tails, self.relationships
        starts, sizes = relationships.find_rows(nodes)
        entries = (
            concatenate_ranges(starts, sizes) if len(nodes) > 1 else _only_range(starts, sizes)
        )
        pairs = NodePairs(nodes.repeat(sizes), relationships.targets[entries])
        keys = relationships.keys[entries]
        if wanted is not None:
            inside = wanted[pairs.targets]
            pairs, keys = pairs.select(inside), keys[inside]
        keep = self._mark_allowed(front, pairs)
        if keep is not None and not keep.all():
            pairs, keys = pairs.select(keep), keys[keep]
        return StepsByRelation(pairs, keys)

    def _mark_allowed(self, front: Front, pairs: NodePairs) -> NDArray[np.bool_] | None:
        """Which of the relationships `revisit` lets the front's walks take [m]; None: all."""
        if self.revisit == "any":
            return None
        keep: NDArray[np.bool_] = pairs.targets != front.anchor
        if self.revisit == "simple":
            keep &= pairs.targets != pairs.sources
            self._drop_circles(front, pairs, keep)
        return keep

    def _drop_circles(self, front: Front, pairs: NodePairs, keep: NDArray[np.bool_]) -> None:
        """Drop the pairs that close a circle; only pairs into nodes reached before can do so."""
        if len(front.layers) < 3:  # one step so far: anchor and source are already dropped
            return
        seen = keep & np.isin(pairs.targets, np.concatenate(front.layers[1:-1]))
        if seen.any():
            distinct, places = np.unique(
                pairs.sources[seen].astype(np.int64) << 32 | pairs.targets[seen],
                return_inverse=True,
            )
            avoidable = _has_simple_walks(front, distinct >> 32, (distinct & 0xFFFFFFFF)[:, None])
            keep[seen] = avoidable[places]


def _only_range(starts: NDArray[np.int64], sizes: NDArray[np.int64]) -> slice:
    """The entries of one row, which need no list."""
    return slice(int(starts[0]), int(starts[0] + sizes[0]))


def sort_distinct(nodes: NDArray[np.int32]) -> Nodes:
    """As `np.unique`, in a fraction of its time for hundreds of nodes and more."""
    if len(nodes) < 2:
        return nodes
    ordered = np.sort(nodes)
    is_new = np.ones(len(ordered), np.bool_)
    np.not_equal(ordered[1:], ordered[:-1], out=is_new[1:])
    return ordered[is_new]


def mark_nodes_reaching(
    neighbourhood: Neighbourhood, targets: Nodes, hops: int, avoided: int | None
) -> list[NDArray[np.bool_]]:
    """For j = 0 … hops, a mask [n] of the nodes with a walk of at most j steps into `targets`.

    `avoided`: a node that no walk goes through.
    """
    rows = np.repeat(np.arange(len(neighbourhood.nodes)), np.diff(neighbourhood.offsets))
    inside = np.zeros(len(neighbourhood.nodes), np.bool_)
    inside[targets] = True
    if avoided is not None:
        inside[avoided] = False
    levels = [inside]
    for _ in range(hops):
        wider = levels[-1].copy()
        wider[rows[levels[-1][neighbourhood.targets]]] = True
        if avoided is not None:
            wider[avoided] = False
        levels.append(wider)
    return levels


def _has_simple_walks(
    front: Front, nodes: NDArray[np.int64], avoided: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """For each of n nodes of the last layer: whether a simple walk of the front ends in it without
    visiting any of its `avoided` nodes [n, f].

    A few sources of each node are tried first, as in a dense graph one of them nearly always will
    do.
    """
    avoidable = _trace_back(front, nodes, avoided, _FEW)
    left = np.flatnonzero(~avoidable)
    for start in range(0, len(left), _CHUNK):
        rows = left[start : start + _CHUNK]
        avoidable[rows] = _trace_back(front, nodes[rows], avoided[rows], None)
    return avoidable


def _trace_back(
    front: Front, nodes: NDArray[np.int64], avoided: NDArray[np.int64], limit: int | None
) -> NDArray[np.bool_]:
    """As `_has_simple_walks`: walks back layer by layer, through at most `limit` sources of each
    node."""
    avoidable = np.zeros(len(nodes), np.bool_)
    walk_of = np.arange(len(nodes))  # which of the given nodes each walk ends in
    for level in range(len(front.layers) - 1, 1, -1):
        arrivals = front.pairs[level - 1].arrivals
        low = np.searchsorted(arrivals.targets, nodes)
        sizes = np.searchsorted(arrivals.targets, nodes, "right") - low
        sizes = sizes if limit is None else np.minimum(sizes, limit)
        rows = np.repeat(np.arange(len(nodes)), sizes)
        sources = arrivals.sources[concatenate_ranges(low, sizes)].astype(np.int64)
        avoided = np.column_stack((avoided, nodes))[rows]
        fine = (avoided != sources[:, None]).all(axis=1)
        walk_of, nodes, avoided = walk_of[rows[fine]], sources[fine], avoided[fine]
    avoidable[walk_of] = True  # the first step leaves the anchor, which no walk visits again
    return avoidable
