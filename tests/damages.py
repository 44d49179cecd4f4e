"""What can happen to bytes, and what somebody may make of them: for tests of what reads them."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable
from hashlib import blake2b
from random import Random

HEAD = 20  # magic and digest


def sealed(magic: bytes, body: bytes, size: int | None = None) -> bytes:
    """A whole frame around sections that nobody of ours may have written."""
    rest = struct.pack("<Q", len(body) if size is None else size) + zlib.compress(body, 1)
    return magic + blake2b(rest, digest_size=16).digest() + rest


def body(data: bytes) -> bytes:
    """The sections in a frame."""
    return zlib.decompress(data[HEAD + 8 :])


def numbers(width: int, count: int, data: bytes = b"") -> bytes:
    """A section of numbers that need not be there."""
    return struct.pack("<BI", width, count) + data


def repeated(prefix: int, count: int) -> bytes:
    """Texts that are all one prefix: many times the bytes that say them."""
    return numbers(1, prefix, b"x" * prefix) + numbers(1, count, bytes(count)) + numbers(1, 0)


Damage = Callable[[Random, bytes, bytes], bytes]
"""Makes of bytes, and of others of their kind, what is not as it was."""


def flipped(random: Random, data: bytes, _: bytes) -> bytes:
    at = random.randrange(len(data))
    return data[:at] + bytes([data[at] ^ 1 << random.randrange(8)]) + data[at + 1 :]


def shortened(random: Random, data: bytes, _: bytes) -> bytes:
    start, end = sorted(random.sample(range(len(data) + 1), 2))
    return data[:start] + data[end:]


def lengthened(random: Random, data: bytes, _: bytes) -> bytes:
    at = random.randrange(len(data) + 1)
    return data[:at] + random.randbytes(random.randint(1, 40)) + data[at:]


def spliced(random: Random, data: bytes, other: bytes) -> bytes:
    at = random.randrange(min(len(data), len(other)))
    return data[:at] + other[at:]


def overwritten(random: Random, data: bytes, _: bytes) -> bytes:
    """A number made very large, very small, or another one."""
    at, size = random.randrange(len(data)), random.choice((1, 2, 4, 8))
    fresh = random.choice((b"\xff" * size, bytes(size), random.randbytes(size)))
    return data[:at] + fresh + data[at + size :]


DAMAGES: tuple[Damage, ...] = (flipped, shortened, lengthened, spliced, overwritten)
