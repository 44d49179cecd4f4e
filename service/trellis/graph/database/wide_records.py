"""Reads what Neo4j sends so that no record holds the event loop, however wide it is.

The driver decodes each record on the event loop, in pure Python, and has no limit on a record: one
`collect` of many nodes is some seconds in which nobody else is served. So the part of the driver
that takes messages in is replaced. A wide message is decoded in a thread, many small ones let
others have their turn between them, and inside `limit_record` a message is dropped, with its
connection, as soon as more bytes of it have come than allowed. Our vector of a node, which Neo4j
sends with every whole node, is passed over: its 384 numbers are most of what a node has.

This is the one place that knows the driver's inside; `tests/graph/test_wide_records.py` fails where
another version of the driver has it otherwise.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

from neo4j._async.io._bolt import _base
from neo4j._async.io._bolt._common import AsyncInbox

from trellis.graph.database.names import VECTOR

_WIDE_BYTES = 32_768  # of a message that is decoded in a thread: some 10 ms of processor
_TURN_SECONDS = 0.005  # after which small messages let others have a turn


class WideRecordError(Exception):
    """A record has more bytes than `limit_record` allows."""


@dataclass(slots=True)
class RecordMeter:
    """The most bytes that one record may have, and whether the last record was a wide one."""

    limit: int
    is_wide: bool = False


_METER: ContextVar[RecordMeter | None] = ContextVar("record_meter", default=None)


@contextmanager
def limit_record(limit: int) -> Iterator[RecordMeter]:
    """Raise WideRecordError in the block for a record that has more bytes; unlimited outside."""
    meter = RecordMeter(limit)
    token = _METER.set(meter)
    try:
        yield meter
    finally:
        _METER.reset(token)


class _MeteredSocket:
    """A driver's socket that counts the bytes of one message, and stops at the limit."""

    def __init__(self, socket: Any) -> None:
        self._socket = socket
        self.bytes = 0

    async def recv_into(self, buffer: memoryview, size: int) -> int:
        read: int = await self._socket.recv_into(buffer, size)
        self.bytes += read
        meter = _METER.get()
        if meter is not None and self.bytes > meter.limit:
            raise WideRecordError
        return read

    def __getattr__(self, name: str) -> Any:
        return getattr(self._socket, name)


_FLOAT = b"\xc1"  # the marker before the eight bytes of a number in PackStream
_TINY_LISTS = range(0x90, 0xA0)  # markers of lists that hold their length
_LISTS = {0xD4: 1, 0xD5: 2}  # markers of longer ones, and the bytes of the length behind them


def _omit_vectors(unpacker: type[Any]) -> type[Any]:
    """A driver's unpacker that leaves our vectors out of the properties of nodes."""

    class LeanUnpacker(unpacker):  # type: ignore[misc]
        def _unpack_map(self, marker: int, hydration_hooks: Any = None) -> Any:
            size = self._read_map_size(marker)
            pairs: dict[str, Any] = {}
            for _ in range(size):
                name = self.unpack(hydration_hooks)
                if name != VECTOR or not self._pass_numbers():
                    pairs[name] = self.unpack(hydration_hooks)
            return pairs

        def _read_map_size(self, marker: int) -> int:
            if marker & 0xF0 == 0xA0:
                return marker & 0x0F
            return int.from_bytes(self.read(1 << (marker - 0xD8)), "big")

        def _pass_numbers(self) -> bool:
            """Go past the list of numbers that comes next; False, going nowhere, for others."""
            buffer = self.unpackable
            marker, after = buffer.data[buffer.p], buffer.p + 1
            begin = after + _LISTS.get(marker, 0)
            if marker not in _TINY_LISTS and marker not in _LISTS:
                return False
            count = marker & 0x0F if begin == after else int.from_bytes(buffer.data[after:begin])
            end = begin + 9 * count
            if bytes(buffer.data[begin:end:9]) != _FLOAT * count:
                return False
            buffer.p = end
            return True

    return LeanUnpacker


class _PatientInbox(AsyncInbox):  # type: ignore[misc,unused-ignore]
    """Takes messages in: the wide ones are decoded in a thread."""

    def __init__(self, sock: Any, on_error: Any, unpacker_cls: Any) -> None:
        self._metered = _MeteredSocket(sock)
        self._turn_began = time.monotonic()
        super().__init__(self._metered, on_error, _omit_vectors(unpacker_cls))  # type: ignore[no-untyped-call]

    async def pop(self, hydration_hooks: Any) -> tuple[Any, list[Any]]:
        self._metered.bytes = 0
        try:
            await self._buffer_one_chunk()  # type: ignore[no-untyped-call]
            return await self._decode(hydration_hooks)
        except (WideRecordError, asyncio.CancelledError) as error:
            if not self._broken:
                self._broken = True
                await self.on_error(error)
            raise

    async def _decode(self, hydration_hooks: Any) -> tuple[Any, list[Any]]:
        is_wide = self._metered.bytes > _WIDE_BYTES
        if (meter := _METER.get()) is not None:
            meter.is_wide = is_wide
        if is_wide:
            message = await asyncio.to_thread(self._unpack, hydration_hooks)
        else:
            await self._give_turn()
            message = self._unpack(hydration_hooks)
        if isinstance(message, Exception):
            self._broken = True
            await self.on_error(message)
            raise message
        return message

    async def _give_turn(self) -> None:
        """Let others run where many messages came at once, for then no await waits."""
        if time.monotonic() - self._turn_began > _TURN_SECONDS:
            await asyncio.sleep(0)
            self._turn_began = time.monotonic()

    def _unpack(self, hydration_hooks: Any) -> tuple[Any, list[Any]] | Exception:
        """The message in the buffer, or the error that keeps it from being decoded."""
        try:
            size, tag = self._unpacker.unpack_structure_header()
            return tag, [self._unpacker.unpack(hydration_hooks) for _ in range(size)]
        except Exception as error:
            return error
        finally:
            self._unpacker.reset()


def read_records_patiently() -> None:
    """Have all connections that are opened from now on take their messages in this way."""
    setattr(_base, "AsyncInbox", _PatientInbox)  # noqa: B010 (mypy knows no such name there)
