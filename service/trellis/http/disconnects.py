"""Work ends when the client that waits for it leaves."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from starlette.requests import Request

from trellis.domain.errors import LeftError

T = TypeVar("T")


async def run_unless_client_leaves(request: Request, work: Coroutine[Any, Any, T]) -> T:
    """The result of the work; if the client leaves first, it is cancelled (LeftError).

    The request's body must have been read. When this returns, the work has ended.
    """
    task = asyncio.ensure_future(work)
    departure = asyncio.ensure_future(_wait_for_disconnect(request))
    try:
        await asyncio.wait({task, departure}, return_when=asyncio.FIRST_COMPLETED)
        if task.done():
            return task.result()
        raise LeftError("the client left before the answer")
    finally:
        await cancel_tasks(task, departure)


async def wait_unless_client_leaves(
    request: Request, task: asyncio.Future[Any], seconds: float
) -> None:
    """Wait for the end of a task, `seconds` at most; raises what it ended with by then.

    If the client leaves first, or whoever waits is cancelled, the task is cancelled, too.
    """
    try:
        await run_unless_client_leaves(request, asyncio.wait({task}, timeout=seconds))
    except BaseException:
        await cancel_tasks(task)
        raise
    if task.done():
        task.result()


async def cancel_tasks(*tasks: asyncio.Future[Any]) -> None:
    """Cancel tasks and wait until they have ended, however they end."""
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def _wait_for_disconnect(request: Request) -> None:
    """Return when the client disconnects; the body was read, so no other message can come."""
    while (await request.receive())["type"] != "http.disconnect":
        pass
