"""Where the sentences of walks and chains may start, as sections."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from trellis.automata.codec.sections import (
    LARGEST,
    TEXT,
    SectionReader,
    compute_offsets,
    write_numbers,
    write_texts,
)
from trellis.automata.paths.walks import Start


def write_starts(starts: Sequence[Start]) -> list[bytes]:
    """The sections of some starts."""
    return [
        write_texts([start.text for start in starts]),
        write_numbers([len(start.nodes) for start in starts]),
        write_numbers([node for start in starts for node in start.nodes]),
        write_numbers([start.mention for start in starts]),
    ]


def read_starts(reader: SectionReader) -> list[Start]:
    """The starts that the sections describe; whether their nodes are there, the caller checks."""
    texts = reader.read_texts()
    sizes, nodes = reader.read_numbers(len(texts)), reader.read_indices(LARGEST)
    mentions = reader.read_indices(LARGEST, len(texts)).tolist()
    reader.spend_room((len(texts) + len(nodes)) * TEXT)
    bounds, listed = compute_offsets(sizes, len(nodes)).tolist(), nodes.tolist()
    rows = [tuple(listed[low:high]) for low, high in pairwise(bounds)]
    return [Start(*row) for row in zip(texts, rows, mentions, strict=True)]
