"""A cache of one value that takes long to read, valid until the graph changes."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

from trellis.graph.connection import GraphVersion

T = TypeVar("T")

_UNASKED = 1.0  # seconds during which the version is not asked for again
_SHARE = 10  # a value stays fresh for this many times as long as reading it took


class Kept(Generic[T]):
    """The last result of `read`, read again after the graph's version changes.

    Concurrent callers share one read.
    The value may be a second old. It may also be ten times as old as the time that one read takes,
    so that a graph with steady writes is not read for more than a tenth of the time.
    """

    def __init__(
        self,
        version: Callable[[], Awaitable[GraphVersion | None]],
        read: Callable[[], Awaitable[T]],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._version, self._read, self._clock = version, read, clock
        self._turn = asyncio.Lock()
        self._kept: list[T] = []
        self._of: GraphVersion | None = None
        self._asked = self._fresh_until = -1.0

    async def get(self) -> T:
        async with self._turn:
            if not self._kept or not await self._is_current():
                await self._renew()
            return self._kept[0]

    async def _is_current(self) -> bool:
        now = self._clock()
        if now < max(self._asked + _UNASKED, self._fresh_until):
            return True
        self._asked = now
        version = await self._version()
        return version is not None and version == self._of

    async def _renew(self) -> None:
        began = self._clock()
        self._of = await self._version()  # before the read, which then sees at least this version
        self._kept = [await self._read()]
        self._asked = self._clock()
        self._fresh_until = self._asked + _SHARE * (self._asked - began)
