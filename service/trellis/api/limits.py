"""The most that a body may hold: more is refused while it is read, chunked or not."""

from __future__ import annotations

from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send


class BodyLimit:
    """ASGI middleware. Starlette's own answers in plain text; this one raises, so that the
    refusal is a problem like every other."""

    def __init__(self, app: ASGIApp, limit: int) -> None:
        self._app = app
        self._limit = limit

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        read = 0

        async def counted() -> Message:
            nonlocal read
            message = await receive()
            read += len(message.get("body", b""))
            if read > self._limit:
                raise HTTPException(413, f"the body has more than {self._limit:,} bytes")
            return message

        await self._app(scope, counted if scope["type"] == "http" else receive, send)
