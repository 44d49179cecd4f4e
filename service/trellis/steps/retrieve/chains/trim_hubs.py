"""Trim hubs: which neighbours of a hub a chain may name, where there are too many."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np

from trellis.automata.nearest import find_sharing_texts
from trellis.domain.graphs.graph import Neighbourhood

MOST_OFFERED = 1_000
"""The most neighbours of one node by one relation in one direction that a chain may name."""


def trim_hubs(
    read: Neighbourhood, question: str, notes: list[str], most: int = MOST_OFFERED
) -> Neighbourhood:
    """The neighbourhood with at most `most` neighbours of each node by each relation and direction.

    Those whose names share most with the question are kept, the first ones where none do; what was
    left out is added to `notes`.
    """
    rows = np.repeat(np.arange(len(read.nodes)), np.diff(read.offsets))
    codes = rows * (2 * len(read.relation_types) + 1) + read.keys
    cuts = np.flatnonzero(np.diff(codes)) + 1
    bounds = list(pairwise((0, *cuts.tolist(), len(codes)))) if len(codes) else []
    wide = [(low, high) for low, high in bounds if high - low > most]
    if not wide:
        return read
    keep = np.ones(len(codes), np.bool_)
    for low, high in wide:
        names = [read.names[target] for target in read.targets[low:high].tolist()]
        keep[low:high] = False
        keep[low + np.array(find_sharing_texts(names, question.lower(), most), np.int64)] = True
        step = read.step_of_key(int(read.keys[low]))
        node = read.names[int(rows[low])]
        notes.append(f"of {high - low:,} nodes by {step} from {node}, {most:,} were offered")
    sizes = np.bincount(rows[keep], minlength=len(read.nodes))
    return replace(
        read,
        offsets=np.concatenate(([0], np.cumsum(sizes))).astype(np.int32),
        targets=read.targets[keep],
        types=read.types[keep],
        directions=read.directions[keep],
    )
