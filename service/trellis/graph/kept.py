"""A thing that takes long to read, kept for as long as the graph is as it was then."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

from trellis.graph.connection import GraphVersion

T = TypeVar("T")

_UNASKED = 1.0  # seconds for which the version is not asked again
_SHARE = 10  # of the time, reading takes one part: a graph that is written to all the time


class Kept(Generic[T]):
    """What `read` gave last; read again where the graph's version has changed, once for all askers.

    It may be a second old. Under steady writes it may be ten times as old as reading it takes, so
    that reading never takes more than a tenth of the time.
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
        self._of = await self._version()  # before the read: it shows at least what this names
        self._kept = [await self._read()]
        self._asked = self._clock()
        self._fresh_until = self._asked + _SHARE * (self._asked - began)
