"""A neighbourhood as bytes: for files, and for languages that travel to a worker.

    frame    magic (4, its last byte the version) | digest of what follows (16) | size of the body
             unpacked (8) | body, packed by zlib
    body     sections in a fixed order; all numbers little endian
    numbers  bytes each takes: 1, 2, 4 or 8 (1) | count (4) | the numbers, unsigned
    texts    what all begin with (numbers of 1 byte) | lengths without it, in characters (numbers)
             | the rest of all texts, one after the other, in UTF-8 (numbers of 1 byte)

Nothing is believed: sizes are checked against the bytes that are there and against `room` before
anything is made of them, indices against what they point into. The digest finds damage, not malice.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Sequence
from hashlib import blake2b
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trellis.domain.errors import CodecError
from trellis.domain.values import Cut, Neighbourhood

ROOM = 256 * 2**20
"""Bytes that a decoded neighbourhood may take, unless told otherwise."""

_MAGIC = b"TRN\x01"
_DIGEST = 16
_SIZE = struct.Struct("<Q")
_NUMBERS = struct.Struct("<BI")
_FRAME = len(_MAGIC) + _DIGEST + _SIZE.size
_TEXT = 128  # bytes that Python needs for a text and its place, while it is read
_NUMBER = 16  # ... for a number in its widest form, and in the one it ends in
_LARGEST = 2**31 - 1

Numbers = NDArray[Any]


def encode(neighbourhood: Neighbourhood) -> bytes:
    """The bytes that `decode` reads; raises CodecError for what is no neighbourhood."""
    body = b"".join(_sections(neighbourhood))
    rest = _SIZE.pack(len(body)) + zlib.compress(body, level=1)
    return _MAGIC + _digest(rest) + rest


def decode(data: bytes, room: int = ROOM) -> Neighbourhood:
    """The neighbourhood that was encoded; its arrays are read-only.

    Raises CodecError for whatever `encode` did not write, and for what takes more than about
    `room` bytes of memory.
    """
    reader = _Reader(_body(memoryview(data), room), room)
    found = _neighbourhood(reader)
    reader.end()
    return found


def _sections(n: Neighbourhood) -> list[bytes]:
    cuts = n.cuts
    return [
        _texts(n.nodes),
        _texts(n.names),
        _texts(n.relation_types),
        _numbers([n.hops, n.cut]),
        _numbers(n.levels),
        _numbers(np.diff(n.offsets)),
        _numbers(n.targets),
        _numbers(n.types),
        _numbers(np.packbits(n.directions)),
        _numbers(n.anchors),
        _texts([cut.node for cut in cuts]),
        _texts([cut.relation for cut in cuts]),
        _numbers([cut.outgoing for cut in cuts]),
        _numbers([cut.kept for cut in cuts]),
        _numbers([cut.total for cut in cuts]),
    ]


def _neighbourhood(reader: _Reader) -> Neighbourhood:
    nodes, names, kinds = reader.texts(), reader.texts(), reader.texts()
    _check(len(names) in (0, len(nodes)), "names and nodes differ in number")
    hops, cut = reader.indices(_LARGEST, 2).tolist()
    levels = reader.indices(hops + 1, len(nodes))
    sizes = reader.numbers(len(nodes))
    targets = reader.indices(len(nodes))
    types = reader.indices(len(kinds), len(targets))
    return Neighbourhood(
        nodes=nodes,
        names=names,
        relation_types=kinds,
        levels=levels,
        offsets=_offsets(sizes, len(targets)),
        targets=targets,
        types=types,
        directions=reader.bits(len(targets)),
        anchors=reader.indices(len(nodes)),
        hops=hops,
        cuts=reader.cuts(),
        cut=bool(cut),
    )


def _numbers(values: Sequence[int] | Numbers) -> bytes:
    """A section of numbers, each as narrow as the largest allows."""
    wide = np.asarray(values, np.int64)
    _check(not len(wide) or wide.min() >= 0, "a number is negative")
    width = _width(int(wide.max(initial=0)))
    return _NUMBERS.pack(width, len(wide)) + wide.astype(f"<u{width}").tobytes()


def _width(largest: int) -> int:
    return next(width for width in (1, 2, 4, 8) if largest < 1 << 8 * width)


def _texts(texts: Sequence[str]) -> bytes:
    common = _common(texts)
    rest = [text[len(common) :] for text in texts]
    lengths = _numbers([len(text) for text in rest])
    return _blob(common) + lengths + _blob("".join(rest))


def _common(texts: Sequence[str]) -> str:
    """What all texts begin with: the first and the last of them in order tell."""
    first, last = min(texts, default=""), max(texts, default="")
    differ = (i for i, (a, b) in enumerate(zip(first, last, strict=False)) if a != b)
    return first[: next(differ, len(first))]


def _blob(text: str) -> bytes:
    try:
        data = text.encode()
    except UnicodeEncodeError as error:
        raise CodecError(f"a text is not Unicode ({error.reason})") from error
    return _NUMBERS.pack(1, len(data)) + data


def _body(data: memoryview, room: int) -> memoryview:
    """The sections, unpacked: never more than `room`, nor than the bytes can hold."""
    _check(len(data) >= _FRAME and data[: len(_MAGIC)] == _MAGIC, "not a neighbourhood of ours")
    rest = data[len(_MAGIC) + _DIGEST :]
    _check(data[len(_MAGIC) : -len(rest)] == _digest(rest), "damaged")
    (size,) = _SIZE.unpack_from(rest)
    _check(size <= room, f"more than {room:,} bytes")
    unpacker = zlib.decompressobj()
    try:
        body = unpacker.decompress(rest[_SIZE.size :], size + 1)
    except zlib.error as error:
        raise CodecError(f"a neighbourhood cannot be unpacked ({error})") from error
    whole = unpacker.eof and not unpacker.unused_data
    _check(whole and len(body) == size, "not of the size that it says")
    return memoryview(body)


def _digest(data: bytes | memoryview) -> bytes:
    return blake2b(data, digest_size=_DIGEST).digest()


def _offsets(sizes: Numbers, entries: int) -> NDArray[np.int32]:
    _check(int(sizes.max(initial=0)) <= entries, "a row is longer than all entries")
    offsets = np.concatenate((np.zeros(1, np.int64), np.cumsum(sizes, dtype=np.int64)))
    _check(int(offsets[-1]) == entries, "rows and entries differ")
    return _fixed(offsets.astype(np.int32))


def _fixed(array: NDArray[Any]) -> NDArray[Any]:
    array.setflags(write=False)
    return array


def _check(holds: bool, wrong: str) -> None:
    if not holds:
        raise CodecError(f"the bytes of a neighbourhood are unusable: {wrong}")


class _Reader:
    """Sections one after the other; whatever is made of them is taken from `room` first."""

    def __init__(self, body: memoryview, room: int) -> None:
        self._body = body
        self._room = room

    def numbers(self, count: int | None = None) -> Numbers:
        """The next numbers, unsigned, as they lie there."""
        width, stated = _NUMBERS.unpack(self._take(_NUMBERS.size))
        _check(width in (1, 2, 4, 8), "numbers of an unknown width")
        _check(count in (None, stated), "sections differ in length")
        self._spend(stated * _NUMBER)
        return np.frombuffer(self._take(stated * width), f"<u{width}")

    def indices(self, below: int, count: int | None = None) -> NDArray[np.int32]:
        """Numbers that are all less than `below`."""
        found = self.numbers(count)
        _check(not len(found) or int(found.max()) < below, "an index points to nothing")
        return _fixed(found.astype(np.int32))

    def bits(self, count: int) -> NDArray[np.uint8]:
        packed = self.numbers((count + 7) // 8)
        _check(packed.dtype == np.uint8, "bits of an unknown width")
        self._spend(count)
        return _fixed(np.unpackbits(packed, count=count))

    def texts(self) -> tuple[str, ...]:
        common, lengths, rest = self._blob(), self.numbers(), self._blob()
        self._spend(len(lengths) * (_TEXT + 4 * len(common)) + 4 * len(rest))
        _check(int(lengths.max(initial=0)) <= len(rest), "a text is longer than all")
        ends = np.cumsum(lengths, dtype=np.int64).tolist()
        _check((ends[-1] if ends else 0) == len(rest), "texts and lengths differ")
        pairs = zip([0, *ends], ends, strict=False)
        return tuple([common + rest[start:end] for start, end in pairs])

    def cuts(self) -> tuple[Cut, ...]:
        nodes, relations = self.texts(), self.texts()
        _check(len(nodes) == len(relations), "sections differ in length")
        outgoing = self.indices(2, len(nodes)).astype(bool)
        kept, total = self.numbers(len(nodes)), self.numbers(len(nodes))
        self._spend(len(nodes) * _TEXT)
        columns = (nodes, relations, outgoing.tolist(), kept.tolist(), total.tolist())
        return tuple(Cut(*row) for row in zip(*columns, strict=True))

    def end(self) -> None:
        _check(not len(self._body), "there is more behind it")

    def _blob(self) -> str:
        data = self.numbers()
        _check(data.dtype == np.uint8, "text of an unknown width")
        self._spend(4 * len(data))
        try:
            return str(data.data, "utf-8")
        except UnicodeDecodeError as error:
            raise CodecError(f"a text is not UTF-8 ({error.reason})") from error

    def _take(self, size: int) -> memoryview:
        _check(size <= len(self._body), "cut short")
        taken, self._body = self._body[:size], self._body[size:]
        return taken

    def _spend(self, size: int) -> None:
        self._room -= size
        _check(self._room >= 0, "it takes more memory than allowed")
