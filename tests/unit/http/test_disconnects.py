"""Work ends with the client that waits for it."""

from __future__ import annotations

import asyncio

import pytest
from starlette.requests import Request
from starlette.types import Message

from trellis.domain.errors import LeftError
from trellis.http.disconnects import run_unless_client_leaves


class Connection:
    """A connection whose client leaves when `departure` is set."""

    def __init__(self) -> None:
        self.departure = asyncio.Event()
        self.request = Request({"type": "http"}, self._receive)

    async def _receive(self) -> Message:
        await self.departure.wait()
        return {"type": "http.disconnect"}


async def test_a_client_that_stays_gets_the_result() -> None:
    async def work() -> str:
        return "done"

    assert await run_unless_client_leaves(Connection().request, work()) == "done"


async def test_an_error_of_the_work_reaches_the_caller() -> None:
    async def work() -> None:
        raise ValueError("broken")

    with pytest.raises(ValueError, match="broken"):
        await run_unless_client_leaves(Connection().request, work())


async def test_work_whose_client_leaves_has_ended_when_that_is_said() -> None:
    connection, ends = Connection(), list[str]()

    async def work() -> None:
        connection.departure.set()
        try:
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0)
            ends.append("cleaned up")

    with pytest.raises(LeftError):
        await run_unless_client_leaves(connection.request, work())
    assert ends == ["cleaned up"]
