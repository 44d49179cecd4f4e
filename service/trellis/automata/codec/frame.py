"""The frame around sections: it names their kind, and proves them whole before they are read.

    frame    magic (4, its last byte the version) | digest of what follows (16) | size of the body
             unpacked (8) | body, packed by zlib
    body     sections in a fixed order; all numbers little endian
    numbers  bytes each takes: 1, 2, 4 or 8 (1) | count (4) | the numbers, unsigned
    texts    their common prefix (numbers of 1 byte) | lengths without it, in characters (numbers)
             | the rest of all texts, concatenated, in UTF-8 (numbers of 1 byte)

`sections` writes and reads the sections inside.
"""

from __future__ import annotations

import struct
import zlib
from hashlib import blake2b

from trellis.automata.codec.sections import check_bytes
from trellis.domain.errors import CodecError

ROOM = 256 * 2**20
"""The default limit on the memory, in bytes, that a decoded value may take."""

_DIGEST = 16
_SIZE = struct.Struct("<Q")


def close_frame(magic: bytes, sections: list[bytes]) -> bytes:
    """The bytes of sections in their frame; `magic` (4 bytes) names their kind and version."""
    body = b"".join(sections)
    rest = _SIZE.pack(len(body)) + zlib.compress(body, level=1)
    return magic + _digest_bytes(rest) + rest


def open_frame(magic: bytes, data: bytes, room: int) -> memoryview:
    """The unpacked sections of a frame, of at most `room` bytes.

    Raises CodecError where the frame is of another kind, damaged, or of another size than it says.
    """
    whole = memoryview(data)
    head = len(magic) + _DIGEST
    check_bytes(
        len(whole) >= head + _SIZE.size and whole[: len(magic)] == magic, "not of this kind"
    )
    rest = whole[head:]
    check_bytes(whole[len(magic) : head] == _digest_bytes(rest), "damaged")
    (size,) = _SIZE.unpack_from(rest)
    check_bytes(size <= room, f"more than {room:,} bytes")
    unpacker = zlib.decompressobj()
    try:
        body = unpacker.decompress(rest[_SIZE.size :], size + 1)
    except zlib.error as error:
        raise CodecError(f"the bytes cannot be unpacked ({error})") from error
    ended = unpacker.eof and not unpacker.unused_data
    check_bytes(ended and len(body) == size, "not of the size that it says")
    return memoryview(body)


def _digest_bytes(data: bytes | memoryview) -> bytes:
    return blake2b(data, digest_size=_DIGEST).digest()
