"""Adjacency arrays of a graph that is in memory, and neighbourhoods cut from them.

This does what the procedure `trellis.trie.neighbourhood` does in Neo4j, without a budget.
The laboratory and tests cut from it, as they have the triples at hand.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from trellis.domain.graphs.graph import Neighbourhood


def build_adjacency(
    nodes: Sequence[str], names: Sequence[str], triples: Iterable[tuple[int, str, int]]
) -> Neighbourhood:
    """A neighbourhood of all `nodes` in which every row is full.

    `triples`: relationships as (index of the head, type, index of the tail).
    """
    listed = list(triples)
    kinds = tuple(sorted({relation for _, relation, _ in listed}))
    number = {relation: i for i, relation in enumerate(kinds)}
    heads = np.array([head for head, _, _ in listed], np.int32)
    tails = np.array([tail for _, _, tail in listed], np.int32)
    types = np.array([number[relation] for _, relation, _ in listed], np.int32)
    rows, targets = np.concatenate((heads, tails)), np.concatenate((tails, heads))
    types = np.concatenate((types, types))
    directions = np.repeat(np.array([0, 1], np.uint8), len(listed))
    order = np.lexsort((targets, types, directions, rows))
    return Neighbourhood(
        nodes=tuple(nodes),
        names=tuple(names),
        relation_types=kinds,
        levels=np.zeros(len(nodes), np.int32),
        offsets=_offsets_of_sizes(np.bincount(rows, minlength=len(nodes))),
        targets=targets[order],
        types=types[order],
        directions=directions[order],
        anchors=np.empty(0, np.int32),
        hops=0,
    )


def cut_neighbourhood(graph: Neighbourhood, anchors: Sequence[int], hops: int) -> Neighbourhood:
    """The neighbourhood of the nodes `anchors` (indices): all nodes at most `hops` away.

    Rows of nodes nearer than `hops` are full, the others are empty. Nodes are numbered by level,
    anchors first, and within a level by their number in `graph`.
    """
    levels = _measure_levels(graph, anchors, hops)
    inside = np.flatnonzero(levels >= 0)
    rest = np.setdiff1d(inside, np.array(anchors))
    nodes = np.concatenate((np.array(anchors), rest[np.argsort(levels[rest], kind="stable")]))
    number = np.full(len(levels), -1, np.int32)
    number[nodes] = np.arange(len(nodes))
    sizes = np.where(levels[nodes] < hops, np.diff(graph.offsets)[nodes], 0)
    entries = concatenate_ranges(graph.offsets[nodes], sizes)
    return replace(
        graph,
        nodes=tuple(graph.nodes[i] for i in nodes),
        names=tuple(graph.names[i] for i in nodes) if graph.names else (),
        levels=levels[nodes].astype(np.int32),
        offsets=_offsets_of_sizes(sizes),
        targets=number[graph.targets[entries]],
        types=graph.types[entries],
        directions=graph.directions[entries],
        anchors=np.arange(len(anchors), dtype=np.int32),
        hops=hops,
    )


def _measure_levels(graph: Neighbourhood, anchors: Sequence[int], hops: int) -> NDArray[np.int64]:
    """The distance of each node [n] from the nearest anchor; -1 beyond `hops`."""
    levels = np.full(len(graph.nodes), -1, np.int64)
    frontier: NDArray[np.int32] = np.array(anchors, np.int32)
    levels[frontier] = 0
    for level in range(1, hops + 1):
        sizes = np.diff(graph.offsets)[frontier]
        targets = np.unique(graph.targets[concatenate_ranges(graph.offsets[frontier], sizes)])
        frontier = targets[levels[targets] < 0]
        levels[frontier] = level
    return levels


def concatenate_ranges(
    starts: NDArray[np.integer], sizes: NDArray[np.integer]
) -> NDArray[np.int64]:
    """The integers of all ranges `[start, start + size)`, concatenated."""
    ends = np.cumsum(sizes)
    count = int(ends[-1]) if len(ends) else 0
    ranges: NDArray[np.int64] = np.arange(count) + np.repeat(starts - ends + sizes, sizes)
    return ranges


def _offsets_of_sizes(sizes: NDArray[np.int64]) -> NDArray[np.int32]:
    return np.concatenate(([0], np.cumsum(sizes))).astype(np.int32)
