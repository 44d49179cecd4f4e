"""Turns to work, for a server that limits how much runs and waits at once."""

from __future__ import annotations

import math
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from anyio import CapacityLimiter, WouldBlock

from trellis.domain.errors import BusyError
from trellis.domain.limits.budget import work_while_others_wait

BuildRefusal = Callable[[int, int, int], BusyError]
"""Builds the error for a refusal, from how many pieces of work run, how many wait, and in how many
seconds to ask again."""

TellPlace = Callable[[int], None]
"""Is told each place that a piece of work has in the line, 1 being the next; never while it needs
not wait."""

_NEWEST_SHARE = 0.1  # that the last turn has in the mean


def ignore_place(_: int) -> None:
    """Ignore a place: of work whose asker is not told."""


class ConcurrencyLimiter:
    """Turns to work, first come first served: `at_once` run, and `waiting_limit` more may wait.

    `clock` gives seconds that never go back.
    """

    def __init__(
        self,
        at_once: int,
        waiting_limit: int,
        build_refusal: BuildRefusal,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._turns = CapacityLimiter(at_once)
        self._at_once = at_once
        self._waiting_limit = waiting_limit
        self._build_refusal = build_refusal
        self._clock = clock
        self._line: list[_Waiting] = []
        self._turn_seconds: float | None = None  # of the turns that ended, the last ones most
        self._promised_until = 0.0  # when the last one that was refused was told to ask again

    @property
    def running(self) -> int:
        return int(self._turns.statistics().borrowed_tokens)

    @property
    def waiting(self) -> int:
        return self._turns.statistics().tasks_waiting

    def check_capacity(self) -> None:
        """Raise BusyError if no further work may run or wait."""
        if self._turns.available_tokens < 1 and self.waiting >= self._waiting_limit:
            retry_seconds = self._promise_room()
            raise self._build_refusal(self.running, self.waiting, retry_seconds)

    @asynccontextmanager
    async def acquire(self, tell_place: TellPlace = ignore_place) -> AsyncIterator[None]:
        """Hold a turn inside the block, which waits for one; BusyError if too many wait. The work
        inside can tell how many others wait (`count_waiting`)."""
        self.check_capacity()
        waiting = _Waiting(tell_place)
        await self._wait_in_line(waiting)
        began = self._clock()
        try:
            with work_while_others_wait(lambda: self.waiting):
                yield
        finally:
            self._turns.release_on_behalf_of(waiting)
            self._note_turn(self._clock() - began)

    async def _wait_in_line(self, waiting: _Waiting) -> None:
        try:
            return self._turns.acquire_on_behalf_of_nowait(waiting)
        except WouldBlock:
            self._line.append(waiting)
        try:
            waiting.move_to(len(self._line))
            await self._turns.acquire_on_behalf_of(waiting)
        finally:
            self._line.remove(waiting)
            for place, behind in enumerate(self._line, 1):
                behind.move_to(place)

    def _note_turn(self, seconds: float) -> None:
        before = seconds if self._turn_seconds is None else self._turn_seconds
        self._turn_seconds = before + _NEWEST_SHARE * (seconds - before)

    def _promise_room(self) -> int:
        """In how many seconds one more, who is refused now, finds room: one after the other as
        turns end, and at the latest when all have ended that run and wait now."""
        now, between = self._clock(), (self._turn_seconds or 0.0) / self._at_once
        latest = now + between * (self.running + self.waiting)
        self._promised_until = min(max(self._promised_until, now) + between, latest)
        return max(1, math.ceil(self._promised_until - now))


class _Waiting:
    """A piece of work that waits for its turn, and then has it."""

    def __init__(self, tell_place: TellPlace) -> None:
        self._tell_place = tell_place
        self._place = 0

    def move_to(self, place: int) -> None:
        if place != self._place:
            self._place = place
            self._tell_place(place)
