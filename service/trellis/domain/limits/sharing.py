"""Work that several methods of a question, or several questions, need is done once for all."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Hashable
from contextlib import asynccontextmanager
from contextvars import ContextVar
from copy import copy
from typing import Any, TypeVar

from trellis.domain.errors import TrellisError

T = TypeVar("T")

_SHARED: ContextVar[dict[Hashable, asyncio.Task[Any]] | None] = ContextVar("shared", default=None)


@asynccontextmanager
async def share_work() -> AsyncIterator[None]:
    """Inside, equal work is done once; what is still running at the end is cancelled."""
    tasks: dict[Hashable, asyncio.Task[Any]] = {}
    token = _SHARED.set(tasks)
    try:
        yield
    finally:
        _SHARED.reset(token)
        for task in tasks.values():
            task.cancel()


async def do_once(key: Hashable, work: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """What `work` gives, or gave to the same key before; outside of `share_work`, it is done.

    A caller that is cancelled leaves the work to the others. An error is raised for all.
    """
    tasks = _SHARED.get()
    if tasks is None:
        return await work()
    if key not in tasks:
        tasks[key] = asyncio.create_task(work())
        tasks[key].add_done_callback(_retrieve_error)
    result: T = await asyncio.shield(tasks[key])
    return result


class SharedAttempt:
    """Attempts at one thing, one after the other; whoever waits for one that fails gets its error.

    Otherwise each that waits would find out for itself, behind all others, that a part is not
    there: where that takes six seconds, the tenth would wait for a minute.
    """

    def __init__(self) -> None:
        self._turn = asyncio.Lock()
        self._failures = 0
        self._error: TrellisError | None = None

    @asynccontextmanager
    async def hold(self) -> AsyncIterator[None]:
        """Hold the attempt inside the block; raises the error of one that failed since then."""
        known = self._failures
        async with self._turn:
            if self._error is not None and self._failures != known:
                raise copy(self._error)
            try:
                yield
            except TrellisError as error:
                self._failures += 1
                self._error = copy(error)  # without the frames that it came through
                raise


def _retrieve_error(task: asyncio.Task[Any]) -> None:
    """Mark an error as seen, as nobody may be waiting any more."""
    if not task.cancelled():
        task.exception()
