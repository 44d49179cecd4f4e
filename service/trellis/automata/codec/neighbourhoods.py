"""A neighbourhood as bytes, for files that are written before questions come."""

from __future__ import annotations

import numpy as np

from trellis.automata.codec.frame import ROOM, close_frame, open_frame
from trellis.automata.codec.sections import (
    LARGEST,
    TEXT,
    SectionReader,
    check_bytes,
    compute_offsets,
    write_numbers,
    write_texts,
)
from trellis.domain.graphs.graph import BudgetCut, Neighbourhood

_MAGIC = b"TRN\x01"


def encode_neighbourhood(neighbourhood: Neighbourhood) -> bytes:
    """The bytes that `decode_neighbourhood` reads; raises CodecError for values that cannot be
    written."""
    return close_frame(_MAGIC, _write_neighbourhood(neighbourhood))


def decode_neighbourhood(data: bytes, room: int = ROOM) -> Neighbourhood:
    """The neighbourhood that was encoded; its arrays are read-only.

    Raises CodecError for bytes that `encode_neighbourhood` did not write, and for a neighbourhood
    that would take more than about `room` bytes of memory.
    """
    reader = SectionReader(open_frame(_MAGIC, data, room), room)
    neighbourhood = _read_neighbourhood(reader)
    reader.check_end()
    return neighbourhood


def _write_neighbourhood(n: Neighbourhood) -> list[bytes]:
    cuts = n.cuts
    return [
        write_texts(n.nodes),
        write_texts(n.names),
        write_texts(n.relation_types),
        write_numbers([n.hops, n.cut]),
        write_numbers(n.levels),
        write_numbers(np.diff(n.offsets)),
        write_numbers(n.targets),
        write_numbers(n.types),
        write_numbers(np.packbits(n.directions)),
        write_numbers(n.anchors),
        write_texts([cut.node_id for cut in cuts]),
        write_texts([cut.relation for cut in cuts]),
        write_numbers([cut.outgoing for cut in cuts]),
        write_numbers([cut.kept for cut in cuts]),
        write_numbers([cut.total for cut in cuts]),
    ]


def _read_neighbourhood(reader: SectionReader) -> Neighbourhood:
    nodes, names, kinds = reader.read_texts(), reader.read_texts(), reader.read_texts()
    check_bytes(len(names) in (0, len(nodes)), "names and nodes differ in number")
    hops, cut = reader.read_indices(LARGEST, 2).tolist()
    levels = reader.read_indices(hops + 1, len(nodes))
    sizes = reader.read_numbers(len(nodes))
    targets = reader.read_indices(len(nodes))
    types = reader.read_indices(len(kinds), len(targets))
    return Neighbourhood(
        nodes=nodes,
        names=names,
        relation_types=kinds,
        levels=levels,
        offsets=compute_offsets(sizes, len(targets)),
        targets=targets,
        types=types,
        directions=reader.read_bits(len(targets)),
        anchors=reader.read_indices(len(nodes)),
        hops=hops,
        cuts=_read_cuts(reader),
        cut=bool(cut),
    )


def _read_cuts(reader: SectionReader) -> tuple[BudgetCut, ...]:
    nodes, relations = reader.read_texts(), reader.read_texts()
    check_bytes(len(nodes) == len(relations), "sections differ in length")
    outgoing = reader.read_indices(2, len(nodes)).astype(bool)
    kept, total = reader.read_numbers(len(nodes)), reader.read_numbers(len(nodes))
    reader.spend_room(len(nodes) * TEXT)
    columns = (nodes, relations, outgoing.tolist(), kept.tolist(), total.tolist())
    return tuple(BudgetCut(*row) for row in zip(*columns, strict=True))
