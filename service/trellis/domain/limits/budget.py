"""What a question may cost, how it is ended when its time is up, and how many wait meanwhile."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from trellis.domain.errors import OutOfTimeError
from trellis.domain.replies.events import follow_trail


@dataclass(frozen=True, slots=True)
class Budget:
    """The most that a question may cost: seconds in all, rows a candidate may reach, and tokens
    a candidate may have."""

    seconds: float
    rows: int
    tokens: int


@dataclass(frozen=True, slots=True)
class _Deadline:
    """When work ends, in seconds of the monotonic clock, and how many seconds it had in all."""

    ends: float = math.inf
    seconds: float = math.inf

    def limit(self, seconds: float) -> _Deadline:
        """This one, or the one in so many seconds, whichever is earlier."""
        own = _Deadline(time.monotonic() + seconds, seconds)
        return min(self, own, key=lambda deadline: deadline.ends)


_NEVER = _Deadline()
_DEADLINE: ContextVar[_Deadline] = ContextVar("deadline", default=_NEVER)


def _count_nobody() -> int:
    return 0


_COUNT_WAITING: ContextVar[Callable[[], int]] = ContextVar("waiting", default=_count_nobody)


def measure_time_left() -> float:
    """The seconds that the current work may still take; infinite where nothing limits it."""
    return _DEADLINE.get().ends - time.monotonic()


def set_deadline(seconds: float) -> None:
    """Have all work that the current task limits from now on (`limit_time`) end in so many seconds
    from now, if not before."""
    _DEADLINE.set(_DEADLINE.get().limit(seconds))


def count_waiting() -> int:
    """How many pieces of work wait until the current one, or another, has ended."""
    return _COUNT_WAITING.get()()


@contextmanager
def work_while_others_wait(count: Callable[[], int]) -> Iterator[None]:
    """Let the work inside know how many wait for it to end; `count` is asked whenever it is."""
    token = _COUNT_WAITING.set(count)
    try:
        yield
    finally:
        _COUNT_WAITING.reset(token)


@asynccontextmanager
async def limit_time(seconds: float) -> AsyncIterator[None]:
    """Cancel the work inside after `seconds`, or at the task's deadline if that is earlier; the
    OutOfTimeError names the step it was in."""
    deadline = _DEADLINE.get().limit(seconds)
    token = _DEADLINE.set(deadline)
    with follow_trail() as trail:
        try:
            async with asyncio.timeout(deadline.ends - time.monotonic()) as clock:
                yield
        except TimeoutError as error:
            if not clock.expired():
                raise
            raise OutOfTimeError(
                f"the time budget of {deadline.seconds:g} s ended in step `{trail.step}`",
                "ask for less or with more time, or raise TRELLIS_QUESTION_TIMEOUT",
            ) from error
        finally:
            _DEADLINE.reset(token)
