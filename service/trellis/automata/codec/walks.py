"""The KG-Trie (`automata/walks.py`) as sections: what its sentences need, and nothing else.

No sentence contains levels, cuts or the ids of nodes, and only the `full` rendering contains names,
so these are not written. In the decoded language the id of a node is its index in the encoded one.
"""

from __future__ import annotations

from itertools import pairwise
from typing import get_args

import numpy as np

from trellis.automata.codec.sections import LARGEST, TEXT, Reader, check, numbers, offsets, texts
from trellis.automata.walks import Start, Walks
from trellis.domain.card import Rendering
from trellis.domain.graph import Neighbourhood, Revisit

_REVISITS: tuple[Revisit, ...] = get_args(Revisit)
_RENDERINGS: tuple[Rendering, ...] = get_args(Rendering)
_MOST_HOPS = 8


def write(language: Walks) -> list[bytes]:
    """The sections of a KG-Trie."""
    n, starts = language.neighbourhood, language.starts
    named = language.rendering == "full"
    check(language.hops <= _MOST_HOPS, f"more than {_MOST_HOPS} hops")
    return [
        numbers([language.hops, language.meets]),
        numbers([_REVISITS.index(language.revisit), _RENDERINGS.index(language.rendering)]),
        texts([start.text for start in starts]),
        numbers([len(start.nodes) for start in starts]),
        numbers([node for start in starts for node in start.nodes]),
        numbers([start.mention for start in starts]),
        texts(n.relation_types),
        texts(n.names if named else ()),
        numbers(np.diff(n.offsets)),
        numbers(n.targets),
        numbers(n.keys),
    ]


def read(reader: Reader) -> Walks:
    """The KG-Trie that the sections describe; CodecError where they are not sound."""
    hops, meets = reader.indices(_MOST_HOPS + 1, 2).tolist()
    revisit, rendering = reader.indices(len(_REVISITS), 2).tolist()
    check(rendering < len(_RENDERINGS), "an unknown rendering")
    starts = _starts(reader)
    neighbourhood = _neighbourhood(reader, named=_RENDERINGS[rendering] == "full")
    pointed = max((node for start in starts for node in start.nodes), default=-1)
    check(pointed < len(neighbourhood.nodes), "a start is no node")
    return Walks(
        neighbourhood,
        starts,
        hops=hops,
        revisit=_REVISITS[revisit],
        rendering=_RENDERINGS[rendering],
        meets=bool(meets),
    )


def _starts(reader: Reader) -> list[Start]:
    names = reader.texts()
    sizes, nodes = reader.numbers(len(names)), reader.indices(LARGEST)
    mentions = reader.indices(LARGEST, len(names)).tolist()
    reader.spend((len(names) + len(nodes)) * TEXT)
    bounds, listed = offsets(sizes, len(nodes)).tolist(), nodes.tolist()
    rows = [tuple(listed[low:high]) for low, high in pairwise(bounds)]
    return [Start(*row) for row in zip(names, rows, mentions, strict=True)]


def _neighbourhood(reader: Reader, *, named: bool) -> Neighbourhood:
    kinds, names, sizes = reader.texts(), reader.texts(), reader.numbers()
    count = len(sizes)
    check(len(names) == (count if named else 0), "names and nodes differ in number")
    reader.spend(count * TEXT)
    targets = reader.indices(count)
    keys = reader.indices(2 * len(kinds), len(targets))
    reader.spend(8 * len(keys))
    reversed_ = keys >= len(kinds)
    return Neighbourhood(
        nodes=tuple(map(str, range(count))),
        names=names,
        relation_types=kinds,
        levels=np.zeros(count, np.int32),
        offsets=offsets(sizes, len(targets)),
        targets=targets,
        types=keys - reversed_ * np.int32(len(kinds)),
        directions=reversed_.astype(np.uint8),
        anchors=np.empty(0, np.int32),
        hops=0,
    )
