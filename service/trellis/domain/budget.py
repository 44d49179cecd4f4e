"""What a question may cost, and how it is ended when its time is up."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
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


@asynccontextmanager
async def limit_time(seconds: float) -> AsyncIterator[None]:
    """Cancel the work inside after `seconds`; the OutOfTimeError names the step it was in."""
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
