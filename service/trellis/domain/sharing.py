"""Work that several methods of one question need is done once, and shared."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Hashable
from contextlib import asynccontextmanager
from contextvars import ContextVar
from typing import Any, TypeVar

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


def _retrieve_error(task: asyncio.Task[Any]) -> None:
    """Mark an error as seen, as nobody may be waiting any more."""
    if not task.cancelled():
        task.exception()
