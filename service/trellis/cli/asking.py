"""Who answers a command's questions: a running service, or this process itself."""

from __future__ import annotations

import uuid
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import aclosing, asynccontextmanager
from typing import TYPE_CHECKING, Protocol

import typer

from trellis.client import Client
from trellis.domain.events import Watch
from trellis.settings import Settings
from trellis.wire.bodies import Answered, MethodBody
from trellis.wire.events import Told, told_while

if TYPE_CHECKING:
    from trellis.house.house import House

_ATTEMPTS = 2  # at a terminal, waiting longer in silence is no help


class Asker(Protocol):
    """What `Client` does, as far as commands need it."""

    def stream(
        self,
        question: str,
        *,
        method: str | None = None,
        topics: Sequence[str] | None = None,
        limit: int | None = None,
    ) -> AsyncGenerator[Told]: ...

    async def methods(self) -> list[MethodBody]: ...


class InProcess:
    """Asks a house of this process; answers have ids, and are not kept."""

    def __init__(self, house: House) -> None:
        self._house = house

    async def stream(
        self,
        question: str,
        *,
        method: str | None = None,
        topics: Sequence[str] | None = None,
        limit: int | None = None,
    ) -> AsyncGenerator[Told]:
        asked = self._house.question(question, list(topics) if topics else None, limit)

        async def answer(watch: Watch) -> Answered:
            reply = await self._house.answer(asked, method, watch)
            return Answered.of(str(uuid.uuid4()), reply)

        async with aclosing(told_while(answer)) as telling:
            async for told in telling:
                yield told

    async def methods(self) -> list[MethodBody]:
        from trellis.house.listing import list_methods  # not for a remote question

        return await list_methods(self._house)


@asynccontextmanager
async def asker(url: str | None, model: str | None) -> AsyncIterator[Asker]:
    """The service at `url`, else the one that is set unless a model is named, else ourselves."""
    if url and model:
        raise typer.BadParameter("a service has a model of its own", param_hint="--model")
    settings = Settings()
    address = url or (None if model else settings.url)
    if address:
        async with Client(address, attempts=_ATTEMPTS) as client:
            yield client
        return
    from trellis.wiring import house  # Neo4j's driver and the engines: not for a remote question

    async with house(settings, model) as opened:
        yield InProcess(opened)
