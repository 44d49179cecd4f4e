"""The languages of chains (`automata/chains`) as sections: options, anchors, and what they grew by.

No sentence contains the ids of nodes, and only the `full` rendering contains names, so these are
not written where nodes stay sets. In the decoded language the id of a node is its number. A growth
travels alone too, to go on from a language that is there already.
"""

from __future__ import annotations

from typing import Any, TypeVar, get_args

import numpy as np

from trellis.automata.chains.graph import ChainDelta, ChainGraph
from trellis.automata.chains.language import MOST_TRIPLES, ChainLanguage, ChainOptions
from trellis.automata.chains.opening import Chains, build_chains
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
from trellis.automata.codec.starts import read_starts, write_starts
from trellis.domain.graphs.graph import Revisit
from trellis.domain.models.card import Rendering

_REVISITS: tuple[Revisit, ...] = get_args(Revisit)
_RENDERINGS: tuple[Rendering, ...] = get_args(Rendering)
ChainT = TypeVar("ChainT", bound=ChainLanguage[Any])

_MOST_TOKENS = 1_000
_MOST_DELTAS = 100
_MAGIC = b"TRG\x01"
_NODE = 3 * TEXT  # about the bytes that a node takes in memory


def write_chains(language: ChainLanguage[Any]) -> list[bytes]:
    """The sections of a language of chains."""
    options, starts = language.options, language.starts
    return [
        write_numbers([options.most_triples, options.thought_tokens]),
        write_numbers([_RENDERINGS.index(options.rendering), _REVISITS.index(options.revisit)]),
        *write_starts(starts),
        write_numbers([len(language.deltas)]),
        *(part for delta in language.deltas for part in _write_delta(delta, options)),
    ]


def read_chains(reader: SectionReader) -> Chains:
    """The language of chains that the sections describe; CodecError where they are not sound."""
    options = _read_options(reader)
    starts = read_starts(reader)
    check_bytes(len({start.text for start in starts}) == len(starts), "a start is there twice")
    check_bytes(all(start.nodes for start in starts), "a start without a node")
    [count] = reader.read_indices(_MOST_DELTAS + 1, 1).tolist()
    check_bytes(count > 0, "chains over nothing")
    language = build_chains(_read_delta(reader, ChainGraph(), options), starts, options)
    pointed = max((node for start in starts for node in start.nodes), default=-1)
    check_bytes(pointed < len(language.graph), "a start is no node")
    for _ in range(count - 1):
        language = language.extended(_read_delta(reader, language.graph, options))
    return language


def encode_growth(language: ChainLanguage[Any], delta: ChainDelta) -> bytes:
    """The bytes of one of the deltas that a language has grown by."""
    return close_frame(_MAGIC, _write_delta(delta, language.options))


def encode_growths(language: ChainLanguage[Any]) -> tuple[bytes, ...]:
    """The bytes of all that a language has grown by since its base, in order."""
    return tuple(encode_growth(language, delta) for delta in language.deltas[1:])


def extend_decoded(language: ChainT, growth: bytes, room: int = ROOM) -> ChainT:
    """The language with a growth that travelled; CodecError for bytes that do not fit it."""
    reader = SectionReader(open_frame(_MAGIC, growth, room), room)
    delta = _read_delta(reader, language.graph, language.options)
    reader.check_end()
    return language.extended(delta)


def _write_delta(delta: ChainDelta, options: ChainOptions) -> list[bytes]:
    return [
        write_numbers([len(delta.nodes)]),
        write_texts(delta.names if options.rendering == "full" else ()),
        write_texts(delta.relation_types),
        write_numbers(delta.rows),
        write_numbers(delta.sizes),
        write_numbers(delta.targets),
        write_numbers(delta.keys),
    ]


def _read_delta(reader: SectionReader, graph: ChainGraph, options: ChainOptions) -> ChainDelta:
    """A delta that fits a graph: it points to what is there, and brings no row again."""
    [count] = reader.read_indices(LARGEST, 1).tolist()
    reader.spend_room(count * _NODE)
    names, kinds = reader.read_texts(), reader.read_texts()
    check_bytes(len(names) == (count if options.rendering == "full" else 0), "unnamed nodes")
    known = [graph.step_of_key(2 * kind).relation for kind in range(graph.types)]
    check_bytes(len({*known, *kinds}) == len(known) + len(kinds), "a type is there twice")
    nodes, types = len(graph) + count, graph.types + len(kinds)
    rows = reader.read_indices(nodes)
    check_bytes(len(np.unique(rows)) == len(rows), "a row is there twice")
    check_bytes(not graph.have_rows(rows[rows < len(graph)]).any(), "a row has come before")
    sizes = reader.read_indices(LARGEST, len(rows))
    targets = reader.read_indices(nodes)
    compute_offsets(sizes, len(targets))
    keys = reader.read_indices(2 * types, len(targets))
    ids = tuple(map(str, range(len(graph), nodes)))
    return ChainDelta(ids, names, kinds, rows, sizes, targets, keys)


def _read_options(reader: SectionReader) -> ChainOptions:
    most_triples, thought_tokens = reader.read_indices(_MOST_TOKENS, 2).tolist()
    check_bytes(1 <= most_triples <= MOST_TRIPLES, "chains of no such length")
    rendering, revisit = reader.read_indices(len(_REVISITS), 2).tolist()
    check_bytes(rendering < len(_RENDERINGS), "an unknown rendering")
    return ChainOptions(_RENDERINGS[rendering], most_triples, _REVISITS[revisit], thought_tokens)
