"""Limits on questions that run or wait at once, and an end to work whose client has left."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from typing import Any, TypeVar

from anyio import CapacityLimiter
from fastapi import Request

from trellis.domain.errors import BusyError, LeftError

T = TypeVar("T")


class Turns:
    """Turns to work, first come first served; BusyError if too many wait already."""

    def __init__(self, at_once: int, waiting_limit: int) -> None:
        self._turns = CapacityLimiter(at_once)
        self._waiting_limit = waiting_limit

    @property
    def running(self) -> int:
        return int(self._turns.statistics().borrowed_tokens)

    @property
    def waiting(self) -> int:
        return self._turns.statistics().tasks_waiting

    def check_capacity(self) -> None:
        """Raise BusyError if no further question may run or wait."""
        if self._turns.available_tokens < 1 and self.waiting >= self._waiting_limit:
            raise BusyError(
                f"{self.running} questions are being answered and {self.waiting} wait",
                "try again in a moment, or raise TRELLIS_CONCURRENCY or TRELLIS_WAITING",
            )

    @asynccontextmanager
    async def take_turn(self) -> AsyncIterator[None]:
        self.check_capacity()
        async with self._turns:
            yield


async def run_unless_client_leaves(request: Request, work: Coroutine[Any, Any, T]) -> T:
    """The result of the work; if the client leaves first, it is cancelled (LeftError)."""
    task = asyncio.ensure_future(work)
    watch = asyncio.ensure_future(_wait_for_disconnect(request))
    try:
        await asyncio.wait({task, watch}, return_when=asyncio.FIRST_COMPLETED)
        if task.done():
            return task.result()
        raise LeftError("the client left before the answer")
    finally:
        task.cancel()
        watch.cancel()


async def _wait_for_disconnect(request: Request) -> None:
    """Return when the client disconnects; the body was read, so no other message can come."""
    while (await request.receive())["type"] != "http.disconnect":
        pass
