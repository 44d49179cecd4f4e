"""What answers a command's questions: a running service, or this process itself."""

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

_ATTEMPTS = 2  # a user at a terminal would rather see the error than wait in silence


class Asker(Protocol):
    """The part of `Client` that commands need."""

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
    """Answers questions in this process; answers have ids, and are not kept."""

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

        async with aclosing(told_while(answer)) as events:
            async for event in events:
                yield event

    async def methods(self) -> list[MethodBody]:
        from trellis.house.listing import list_methods  # a remote question does not need it

        return await list_methods(self._house)


@asynccontextmanager
async def asker(url: str | None, model: str | None) -> AsyncIterator[Asker]:
    """The service at `url`, else the one of TRELLIS_URL unless a model is named, else this process.

    A usage error if both are given.
    """
    if url and model:
        raise typer.BadParameter("a service has a model of its own", param_hint="--model")
    settings = Settings()
    address = url or (None if model else settings.url)
    if address:
        async with Client(address, attempts=_ATTEMPTS) as client:
            yield client
        return
    from trellis.wiring import house  # a remote question needs neither Neo4j's driver nor engines

    async with house(settings, model) as opened:
        yield InProcess(opened)
