"""The KG-Trie (`automata/walks.py`) as sections: what its sentences need, and nothing else.

No sentence contains levels, cuts or the ids of nodes, and only the `full` rendering contains names,
so these are not written. In the decoded language the id of a node is its index in the encoded one.
"""

from __future__ import annotations

from typing import get_args

import numpy as np

from trellis.automata.codec.sections import (
    TEXT,
    SectionReader,
    check_bytes,
    compute_offsets,
    write_numbers,
    write_texts,
)
from trellis.automata.codec.starts import read_starts, write_starts
from trellis.automata.paths.walks import Walks
from trellis.domain.graphs.graph import Neighbourhood, Revisit
from trellis.domain.models.card import Rendering

_REVISITS: tuple[Revisit, ...] = get_args(Revisit)
_RENDERINGS: tuple[Rendering, ...] = get_args(Rendering)
_MOST_HOPS = 8


def write_walks(language: Walks) -> list[bytes]:
    """The sections of a KG-Trie."""
    n, starts = language.neighbourhood, language.starts
    named = language.rendering == "full"
    check_bytes(language.hops <= _MOST_HOPS, f"more than {_MOST_HOPS} hops")
    return [
        write_numbers([language.hops, language.meets]),
        write_numbers([_REVISITS.index(language.revisit), _RENDERINGS.index(language.rendering)]),
        *write_starts(starts),
        write_texts(n.relation_types),
        write_texts(n.names if named else ()),
        write_numbers(np.diff(n.offsets)),
        write_numbers(n.targets),
        write_numbers(n.keys),
        write_texts(language.alphabet),
    ]


def read_walks(reader: SectionReader) -> Walks:
    """The KG-Trie that the sections describe; CodecError where they are not sound."""
    hops, meets = reader.read_indices(_MOST_HOPS + 1, 2).tolist()
    revisit, rendering = reader.read_indices(len(_REVISITS), 2).tolist()
    check_bytes(rendering < len(_RENDERINGS), "an unknown rendering")
    starts = read_starts(reader)
    neighbourhood = _read_walked_neighbourhood(reader, named=_RENDERINGS[rendering] == "full")
    pointed = max((node for start in starts for node in start.nodes), default=-1)
    check_bytes(pointed < len(neighbourhood.nodes), "a start is no node")
    alphabet = reader.read_texts()
    return Walks(
        neighbourhood,
        starts,
        hops=hops,
        revisit=_REVISITS[revisit],
        rendering=_RENDERINGS[rendering],
        meets=bool(meets),
        alphabet=alphabet,
    )


def _read_walked_neighbourhood(reader: SectionReader, *, named: bool) -> Neighbourhood:
    kinds, names, sizes = reader.read_texts(), reader.read_texts(), reader.read_numbers()
    count = len(sizes)
    check_bytes(len(names) == (count if named else 0), "names and nodes differ in number")
    reader.spend_room(count * TEXT)
    targets = reader.read_indices(count)
    keys = reader.read_indices(2 * len(kinds), len(targets))
    reader.spend_room(8 * len(keys))
    reversed_ = keys >= len(kinds)
    return Neighbourhood(
        nodes=tuple(map(str, range(count))),
        names=names,
        relation_types=kinds,
        levels=np.zeros(count, np.int32),
        offsets=compute_offsets(sizes, len(targets)),
        targets=targets,
        types=keys - reversed_ * np.int32(len(kinds)),
        directions=reversed_.astype(np.uint8),
        anchors=np.empty(0, np.int32),
        hops=0,
    )
