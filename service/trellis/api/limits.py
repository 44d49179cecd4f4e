"""The size limit of request bodies, for all routes."""

from __future__ import annotations

from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Receive, Scope, Send

from trellis.http.bodies import limit_received_bytes


class BodyLimit:
    """ASGI middleware that raises an HTTPException, so that a refusal becomes a problem document;
    Starlette's own middleware would answer in plain text."""

    def __init__(self, app: ASGIApp, limit: int) -> None:
        self._app = app
        self._limit = limit

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            refusal = HTTPException(413, f"the body has more than {self._limit:,} bytes")
            receive = limit_received_bytes(receive, self._limit, refusal)
        await self._app(scope, receive, send)
