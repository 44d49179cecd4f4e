"""Refuses requests whose length is told in two ways, which smuggles others past proxies."""

from __future__ import annotations

from fastapi import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from trellis.api.problems import respond_with_error
from trellis.domain.errors import TwoLengthsError

_LENGTHS = frozenset((b"content-length", b"transfer-encoding"))


class RefuseTwoLengths:
    """ASGI middleware that answers 400 to a request with Content-Length and Transfer-Encoding, and
    closes its connection (RFC 9112, section 6.1)."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        names = {name for name, _ in scope.get("headers", ())}
        if scope["type"] != "http" or not names >= _LENGTHS:
            await self._app(scope, receive, send)
            return
        response = respond_with_error(
            TwoLengthsError(
                "the request has both Content-Length and Transfer-Encoding",
                "send one of them; is there a proxy that adds the other?",
            ),
            Request(scope),
        )
        response.headers["Connection"] = "close"
        await response(scope, receive, send)
