"""Whether the service can answer at its full speed: no part is missing, and it is warmed up.

What will be noted on each answer, such as that a model is of another graph, is logged once then.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress

from tenacity import AsyncRetrying, retry_if_result, wait_exponential

from trellis.app.readiness import MissingPart
from trellis.app.trellis_app import TrellisApp
from trellis.domain.errors import GraphTimeoutError, NotReadyError, TrellisError
from trellis.http.disconnects import cancel_tasks
from trellis.logs import log

_STORE = "store"  # a question can be answered without it
_WARMING = NotReadyError("the service warms up for its first question", "ask again in some seconds")
_SLOW_PART = MissingPart(
    "parts", NotReadyError("it takes long to see whether they are there", "ask again in a moment")
)
_waiting_longer = wait_exponential(multiplier=5, max=60)


class Readiness:
    """Warms the app up once, as soon as all that answers a question is there."""

    def __init__(self, trellis_app: TrellisApp) -> None:
        self._app = trellis_app
        self._warming: asyncio.Task[None] | None = None
        self._trying: asyncio.Task[None] | None = None
        self._last: Sequence[MissingPart] = ()
        self._looking: asyncio.Task[Sequence[MissingPart]] | None = None

    async def missing(self) -> Sequence[MissingPart]:
        """The parts that are not ready; where a question lacks none, the warm-up until it ends."""
        self._last = await self._look()
        return self._last

    async def _look(self) -> Sequence[MissingPart]:
        missing = await self._app.find_missing_parts()
        if any(one.name != _STORE for one in missing):
            return missing
        if self._warming is None:
            self._warming = asyncio.create_task(self._warm_up())
        return missing if self._warming.done() else [*missing, MissingPart("warm-up", _WARMING)]

    async def missing_within(self, seconds: float) -> Sequence[MissingPart]:
        """As `missing`, within some seconds.

        If nothing is known by then, it is what was missing before, or all parts where none was.
        Whoever asks meanwhile waits for the same look.
        """
        if self._looking is None or self._looking.done():
            self._looking = asyncio.create_task(self.missing())
        await asyncio.wait({self._looking}, timeout=seconds)
        return self._looking.result() if self._looking.done() else self._last or (_SLOW_PART,)

    async def begin(self) -> None:
        """Load what is heavy, say what is missing, and warm up unless a question lacks a part."""
        missing = await self.missing()
        if any(isinstance(one.error, GraphTimeoutError) for one in missing):
            missing = await self.missing()  # the first query of a Neo4j that was just started
        for one in missing:
            if one.error is not _WARMING:
                log.warning("not ready", part=one.name, problem=str(one.error))
        if self._warming:
            await self._warming
        else:
            self._trying = asyncio.create_task(self._retry_until_warming())

    async def end(self) -> None:
        """Stop what is under way."""
        await cancel_tasks(*filter(None, (self._trying, self._warming, self._looking)))

    async def _retry_until_warming(self) -> None:
        """Look for missing parts again, ever more seldom, until the warm-up is under way."""
        waiting = AsyncRetrying(
            retry=retry_if_result(lambda warming: warming is None), wait=_waiting_longer
        )
        await waiting(self._try_warm_up)

    async def _try_warm_up(self) -> asyncio.Task[None] | None:
        if self._warming is None:
            await self.missing()
        return self._warming

    async def _warm_up(self) -> None:
        with suppress(TrellisError):  # the next question says what is wrong
            await self._app.warm_up()
            for note in await self._app.read_notes():
                log.warning("note", note=note)
