"""Sections of numbers and texts: writing them, and reading them with every size checked first."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trellis.domain.errors import CodecError

Numbers = NDArray[Any]

LARGEST = 2**31 - 1
"""The largest number that an index may be."""

TEXT = 128
"""About the bytes that Python needs for one short text, while it is read."""

_NUMBERS = struct.Struct("<BI")
_NUMBER = 16  # bytes of memory for one number: as read, and converted


def write_numbers(values: Sequence[int] | Numbers) -> bytes:
    """A section of numbers, all in the narrowest width that holds the largest of them."""
    wide = np.asarray(values, np.int64)
    check_bytes(not len(wide) or wide.min() >= 0, "a number is negative")
    width = _find_byte_width(int(wide.max(initial=0)))
    return _NUMBERS.pack(width, len(wide)) + wide.astype(f"<u{width}").tobytes()


def _find_byte_width(largest: int) -> int:
    return next(width for width in (1, 2, 4, 8) if largest < 1 << 8 * width)


def write_texts(texts_to_write: Sequence[str]) -> bytes:
    """A section of texts."""
    common = _find_common_prefix(texts_to_write)
    rest = [each[len(common) :] for each in texts_to_write]
    lengths = write_numbers([len(each) for each in rest])
    return write_text(common) + lengths + write_text("".join(rest))


def _find_common_prefix(texts: Sequence[str]) -> str:
    """The longest prefix of all texts: that of the first and the last of them in order."""
    first, last = min(texts, default=""), max(texts, default="")
    differ = (i for i, (a, b) in enumerate(zip(first, last, strict=False)) if a != b)
    return first[: next(differ, len(first))]


def write_text(text_to_write: str) -> bytes:
    """A section of one text."""
    try:
        data = text_to_write.encode()
    except UnicodeEncodeError as error:
        raise CodecError(f"a text is not Unicode ({error.reason})") from error
    return _NUMBERS.pack(1, len(data)) + data


def check_bytes(holds: bool, problem: str) -> None:
    """Raise CodecError unless `holds`; `problem` says what is wrong with the bytes."""
    if not holds:
        raise CodecError(f"the bytes are unusable: {problem}")


def freeze_array(array: NDArray[Any]) -> NDArray[Any]:
    """The array, made read-only."""
    array.setflags(write=False)
    return array


def compute_offsets(sizes: Numbers, entries: int) -> NDArray[np.int32]:
    """The offsets [n + 1] of rows of some sizes [n]: each row's first entry, and the last one's
    end.

    Raises CodecError unless the sizes add up to `entries`.
    """
    check_bytes(int(sizes.max(initial=0)) <= entries, "a row is longer than all entries")
    bounds = np.concatenate((np.zeros(1, np.int64), np.cumsum(sizes, dtype=np.int64)))
    check_bytes(int(bounds[-1]) == entries, "rows and entries differ")
    return freeze_array(bounds.astype(np.int32))


class SectionReader:
    """Reads sections one after the other; each takes its memory from `room` before it is built.

    Every method raises CodecError where the bytes are not what it reads, or `room` is used up.
    """

    def __init__(self, body: memoryview, room: int) -> None:
        self._body = body
        self._room = room

    def read_numbers(self, count: int | None = None) -> Numbers:
        """The next section of numbers, unsigned, in the width they were written in.

        `count`: how many there have to be; None: any number.
        """
        width, stated = _NUMBERS.unpack(self._take_bytes(_NUMBERS.size))
        check_bytes(width in (1, 2, 4, 8), "numbers of an unknown width")
        check_bytes(count in (None, stated), "sections differ in length")
        self.spend_room(stated * _NUMBER)
        return np.frombuffer(self._take_bytes(stated * width), f"<u{width}")

    def read_indices(self, below: int, count: int | None = None) -> NDArray[np.int32]:
        """The next numbers as int32; all have to be less than `below`."""
        values = self.read_numbers(count)
        check_bytes(not len(values) or int(values.max()) < below, "an index points to nothing")
        return freeze_array(values.astype(np.int32))

    def read_bits(self, count: int) -> NDArray[np.uint8]:
        packed = self.read_numbers((count + 7) // 8)
        check_bytes(packed.dtype == np.uint8, "bits of an unknown width")
        self.spend_room(count)
        return freeze_array(np.unpackbits(packed, count=count))

    def read_texts(self) -> tuple[str, ...]:
        common, lengths, rest = self.read_text(), self.read_numbers(), self.read_text()
        self.spend_room(len(lengths) * (TEXT + 4 * len(common)) + 4 * len(rest))
        check_bytes(int(lengths.max(initial=0)) <= len(rest), "a text is longer than all")
        ends = np.cumsum(lengths, dtype=np.int64).tolist()
        check_bytes((ends[-1] if ends else 0) == len(rest), "texts and lengths differ")
        pairs = zip([0, *ends], ends, strict=False)
        return tuple([common + rest[start:end] for start, end in pairs])

    def check_end(self) -> None:
        check_bytes(not len(self._body), "there is more behind it")

    def read_text(self) -> str:
        data = self.read_numbers()
        check_bytes(data.dtype == np.uint8, "text of an unknown width")
        self.spend_room(4 * len(data))
        try:
            return str(data.data, "utf-8")
        except UnicodeDecodeError as error:
            raise CodecError(f"a text is not UTF-8 ({error.reason})") from error

    def _take_bytes(self, size: int) -> memoryview:
        check_bytes(size <= len(self._body), "cut short")
        taken, self._body = self._body[:size], self._body[size:]
        return taken

    def spend_room(self, size: int) -> None:
        """Take `size` bytes from the memory that is left."""
        self._room -= size
        check_bytes(self._room >= 0, "it takes more memory than allowed")
