"""The events of work while it runs."""

from __future__ import annotations

import asyncio
import threading
from contextlib import aclosing

import pytest

from trellis.http.events import SendEvent, stream_work


async def test_events_come_in_order_and_the_result_last() -> None:
    async def work(send_event: SendEvent[str]) -> str:
        send_event("first")
        thread = threading.Thread(target=send_event, args=("from a thread",))
        await asyncio.to_thread(lambda: (thread.start(), thread.join()))
        return "result"

    assert [event async for event in stream_work(work)] == ["first", "from a thread", "result"]


async def test_an_error_comes_after_the_events_before_it() -> None:
    async def work(send_event: SendEvent[str]) -> str:
        send_event("first")
        raise ValueError("broken")

    events = stream_work(work)
    assert await anext(events) == "first"
    with pytest.raises(ValueError, match="broken"):
        await anext(events)


async def test_work_ends_when_nobody_listens_any_more() -> None:
    ends: list[str] = []

    async def work(send_event: SendEvent[str]) -> str:
        send_event("first")
        try:
            await asyncio.Event().wait()
        finally:
            ends.append("cancelled")
        return "never"

    async with aclosing(stream_work(work)) as events:
        assert await anext(events) == "first"
    assert ends == ["cancelled"]
