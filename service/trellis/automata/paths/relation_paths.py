"""The relation-type paths of a neighbourhood that is in memory, with the counts of walks and ends.

This does what the procedure `trellis.schema.reachable` does in Neo4j, for databases without it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from trellis.automata.paths.adjacency import concatenate_ranges
from trellis.domain.graphs.graph import Neighbourhood, NodeId, Step
from trellis.domain.graphs.reachable import ReachablePath, ReachablePaths

_MOST_WALKS = 2.0**53
_VISITS_PER_EDGE = 50


@dataclass(frozen=True, slots=True)
class _Path:
    """A path, the nodes at its end [n], and the number of walks to each [n]."""

    steps: tuple[Step, ...]
    ends: NDArray[np.int32]
    walks: NDArray[np.float64]
    counted: bool = True
    followed: bool = True


def find_relation_paths(
    neighbourhood: Neighbourhood,
    labels: Mapping[NodeId, Sequence[str]],
    *,
    edge_budget: int,
    path_budget: int,
) -> ReachablePaths:
    """All paths of 1 to `found.hops` steps, shortest first, at most `path_budget`.

    `labels`: the labels of each node of the neighbourhood. Work is bounded by 50 visits for each
    entry of `edge_budget`; paths beyond that are marked as not followed.
    """
    paths = _search_paths(neighbourhood, path_budget, _VISITS_PER_EDGE * edge_budget)
    return ReachablePaths(tuple(_describe_path(path, neighbourhood, labels) for path in paths))


def _search_paths(neighbourhood: Neighbourhood, path_budget: int, visits: int) -> list[_Path]:
    """The paths, breadth first; one whose extensions exceed a budget is marked as not followed."""
    anchors = neighbourhood.anchors
    still = _Path((), anchors, np.ones(len(anchors)))
    first = _extend_path(still, neighbourhood) if neighbourhood.hops else []
    paths = first[:path_budget]
    if len(first) > path_budget:
        return [replace(path, followed=False) for path in paths]
    at = 0
    while at < len(paths) and len(paths[at].steps) < neighbourhood.hops:
        visits -= int(np.diff(neighbourhood.offsets)[paths[at].ends].sum())
        more = _extend_path(paths[at], neighbourhood) if visits >= 0 else None
        if more is None or len(paths) + len(more) > path_budget:
            paths[at] = replace(paths[at], followed=False)
        else:
            paths += more
        at += 1
    return paths


def _extend_path(path: _Path, neighbourhood: Neighbourhood) -> list[_Path]:
    """The paths that are one step longer, ordered by direction and type."""
    sizes = np.diff(neighbourhood.offsets)[path.ends]
    entries = concatenate_ranges(neighbourhood.offsets[path.ends], sizes)
    walks = np.repeat(path.walks, sizes)
    keys, targets = neighbourhood.keys[entries], neighbourhood.targets[entries]
    counted = path.counted and len(path.steps) < _find_first_cut_level(neighbourhood)
    paths = []
    for key in np.unique(keys):
        at = keys == key
        ends, place = np.unique(targets[at], return_inverse=True)
        sums = np.minimum(_MOST_WALKS, np.bincount(place, walks[at]))
        paths.append(_Path((*path.steps, neighbourhood.step_of_key(int(key))), ends, sums, counted))
    return paths


def _find_first_cut_level(neighbourhood: Neighbourhood) -> int:
    """The lowest level of a node that the edge budget cut; `hops` where it cut none."""
    cut = {each.node_id for each in neighbourhood.cuts}
    levels = (
        int(level)
        for n, level in zip(neighbourhood.nodes, neighbourhood.levels, strict=True)
        if n in cut
    )
    return min(levels, default=neighbourhood.hops) if cut else neighbourhood.hops


def _describe_path(
    path: _Path, neighbourhood: Neighbourhood, labels: Mapping[NodeId, Sequence[str]]
) -> ReachablePath:
    ends = [neighbourhood.nodes[end] for end in path.ends]
    carried = sorted({label for node in ends for label in labels.get(node, ())})
    walks = int(min(_MOST_WALKS, path.walks.sum()))
    return ReachablePath(path.steps, tuple(carried), walks, len(ends), path.counted, path.followed)
