"""Turns to work, for a server that limits how much runs and waits at once."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from anyio import CapacityLimiter

from trellis.domain.errors import BusyError

BuildRefusal = Callable[[int, int], BusyError]
"""Builds the error for a refusal, from how many pieces of work run and how many wait."""


class Turns:
    """Turns to work, first come first served: `at_once` run, and `waiting_limit` more may wait."""

    def __init__(self, at_once: int, waiting_limit: int, build_refusal: BuildRefusal) -> None:
        self._turns = CapacityLimiter(at_once)
        self._waiting_limit = waiting_limit
        self._build_refusal = build_refusal

    @property
    def running(self) -> int:
        return int(self._turns.statistics().borrowed_tokens)

    @property
    def waiting(self) -> int:
        return self._turns.statistics().tasks_waiting

    def check_capacity(self) -> None:
        """Raise BusyError if no further work may run or wait."""
        if self._turns.available_tokens < 1 and self.waiting >= self._waiting_limit:
            raise self._build_refusal(self.running, self.waiting)

    @asynccontextmanager
    async def take_turn(self) -> AsyncIterator[None]:
        """Hold a turn inside the block, which waits for one; BusyError if too many wait."""
        self.check_capacity()
        async with self._turns:
            yield
