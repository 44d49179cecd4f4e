"""The size limit of request bodies, enforced while a body is read, chunked or not."""

from __future__ import annotations

from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send


class BodyLimit:
    """ASGI middleware that raises an HTTPException, so that a refusal becomes a problem document;
    Starlette's own middleware would answer in plain text."""

    def __init__(self, app: ASGIApp, limit: int) -> None:
        self._app = app
        self._limit = limit

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        received = 0

        async def receive_counted() -> Message:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b""))
            if received > self._limit:
                raise HTTPException(413, f"the body has more than {self._limit:,} bytes")
            return message

        await self._app(scope, receive_counted if scope["type"] == "http" else receive, send)
