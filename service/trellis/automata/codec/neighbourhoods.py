"""A neighbourhood as bytes, for files that are written before questions come."""

from __future__ import annotations

import numpy as np

from trellis.automata.codec.frame import ROOM, closed, opened
from trellis.automata.codec.sections import (
    LARGEST,
    TEXT,
    Reader,
    check,
    numbers,
    offsets,
    texts,
)
from trellis.domain.graph import Cut, Neighbourhood

_MAGIC = b"TRN\x01"


def encode(neighbourhood: Neighbourhood) -> bytes:
    """The bytes that `decode` reads; raises CodecError for values that cannot be written."""
    return closed(_MAGIC, _sections(neighbourhood))


def decode(data: bytes, room: int = ROOM) -> Neighbourhood:
    """The neighbourhood that was encoded; its arrays are read-only.

    Raises CodecError for bytes that `encode` did not write, and for a neighbourhood that would
    take more than about `room` bytes of memory.
    """
    reader = Reader(opened(_MAGIC, data, room), room)
    neighbourhood = _neighbourhood(reader)
    reader.end()
    return neighbourhood


def _sections(n: Neighbourhood) -> list[bytes]:
    cuts = n.cuts
    return [
        texts(n.nodes),
        texts(n.names),
        texts(n.relation_types),
        numbers([n.hops, n.cut]),
        numbers(n.levels),
        numbers(np.diff(n.offsets)),
        numbers(n.targets),
        numbers(n.types),
        numbers(np.packbits(n.directions)),
        numbers(n.anchors),
        texts([cut.node for cut in cuts]),
        texts([cut.relation for cut in cuts]),
        numbers([cut.outgoing for cut in cuts]),
        numbers([cut.kept for cut in cuts]),
        numbers([cut.total for cut in cuts]),
    ]


def _neighbourhood(reader: Reader) -> Neighbourhood:
    nodes, names, kinds = reader.texts(), reader.texts(), reader.texts()
    check(len(names) in (0, len(nodes)), "names and nodes differ in number")
    hops, cut = reader.indices(LARGEST, 2).tolist()
    levels = reader.indices(hops + 1, len(nodes))
    sizes = reader.numbers(len(nodes))
    targets = reader.indices(len(nodes))
    types = reader.indices(len(kinds), len(targets))
    return Neighbourhood(
        nodes=nodes,
        names=names,
        relation_types=kinds,
        levels=levels,
        offsets=offsets(sizes, len(targets)),
        targets=targets,
        types=types,
        directions=reader.bits(len(targets)),
        anchors=reader.indices(len(nodes)),
        hops=hops,
        cuts=_cuts(reader),
        cut=bool(cut),
    )


def _cuts(reader: Reader) -> tuple[Cut, ...]:
    nodes, relations = reader.texts(), reader.texts()
    check(len(nodes) == len(relations), "sections differ in length")
    outgoing = reader.indices(2, len(nodes)).astype(bool)
    kept, total = reader.numbers(len(nodes)), reader.numbers(len(nodes))
    reader.spend(len(nodes) * TEXT)
    columns = (nodes, relations, outgoing.tolist(), kept.tolist(), total.tolist())
    return tuple(Cut(*row) for row in zip(*columns, strict=True))
