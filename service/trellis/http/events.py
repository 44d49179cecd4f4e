"""The events of work that is under way, and its result as the last of them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from typing import TypeVar

from trellis.http.disconnects import cancel_tasks

E = TypeVar("E")

SendEvent = Callable[[E], None]
"""Sends an event of the work; it may be called in any thread."""


async def stream_work(work: Callable[[SendEvent[E]], Awaitable[E]]) -> AsyncGenerator[E]:
    """The events that `work` sends, as they are sent; what it returns comes last.

    Raises what `work` raises. Closing the generator cancels the work.
    """
    queue: asyncio.Queue[E | None] = asyncio.Queue()
    loop = asyncio.get_running_loop()

    def send_event(event: E) -> None:
        loop.call_soon_threadsafe(queue.put_nowait, event)

    task = asyncio.ensure_future(work(send_event))
    task.add_done_callback(lambda _: queue.put_nowait(None))
    try:
        while (event := await queue.get()) is not None:
            yield event
        yield await task
    finally:
        await cancel_tasks(task)
