"""What a question may cost, and how it is ended when its time is up."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from trellis.domain.errors import OutOfTimeError
from trellis.domain.events import follow_trail


@dataclass(frozen=True, slots=True)
class Budget:
    """The most that a question may cost: seconds in all, rows a candidate may reach, and tokens
    a candidate may have."""

    seconds: float
    rows: int
    tokens: int


_ENDS: ContextVar[float] = ContextVar("ends", default=math.inf)


def measure_time_left() -> float:
    """The seconds that the current work may still take; infinite where nothing limits it."""
    return _ENDS.get() - time.monotonic()


@asynccontextmanager
async def limit_time(seconds: float) -> AsyncIterator[None]:
    """Cancel the work inside after `seconds`; the OutOfTimeError names the step it was in."""
    token = _ENDS.set(min(_ENDS.get(), time.monotonic() + seconds))
    with follow_trail() as trail:
        try:
            async with asyncio.timeout(seconds) as clock:
                yield
        except TimeoutError as error:
            if not clock.expired():
                raise
            raise OutOfTimeError(
                f"the time budget of {seconds:g} s ended in step `{trail.step}`",
                "ask for less, or raise TRELLIS_QUESTION_TIMEOUT",
            ) from error
        finally:
            _ENDS.reset(token)
