"""The limits of request bodies, for all routes."""

from __future__ import annotations

from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Receive, Scope, Send

from trellis.http.bodies import limit_received_bytes, limit_received_seconds

BODY_SECONDS = 30.0
"""How long a body may take to come, whatever its size."""


class BodyLimit:
    """ASGI middleware that raises an HTTPException, so that a refusal becomes a problem document;
    Starlette's own middleware would answer in plain text.

    `limit`: bytes of a body. `seconds`: until it has to be whole.
    """

    def __init__(self, app: ASGIApp, limit: int, seconds: float) -> None:
        self._app = app
        self._limit, self._seconds = limit, seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            large = HTTPException(413, f"the body has more than {self._limit:,} bytes")
            slow = HTTPException(
                408, f"the body was not whole after {self._seconds:g} s", {"Connection": "close"}
            )
            receive = limit_received_bytes(receive, self._limit, large)
            receive = limit_received_seconds(receive, self._seconds, slow)
        await self._app(scope, receive, send)
