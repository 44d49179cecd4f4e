"""Which bodies of requests are read: JSON alone, within limits, and of one length."""

from __future__ import annotations

from fastapi import Request
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Receive, Scope, Send

from trellis.api.middleware.problems import respond_with_error
from trellis.domain.errors import TwoLengthsError, UnsupportedMediaError
from trellis.http.bodies import limit_received_bytes, limit_received_seconds

BODY_SECONDS = 30.0
"""How long a body may take to come, whatever its size."""
_LENGTHS = frozenset((b"content-length", b"transfer-encoding"))
_JSON = "application/json"
_LONGEST = 100  # characters of a media type that an error names


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


async def require_json_body(request: Request) -> None:
    """Raise UnsupportedMediaError where a request has a body of another type than JSON."""
    given = request.headers.get("content-type", "")
    kind = given.partition(";")[0].strip().lower()
    if kind == _JSON or (kind.startswith("application/") and kind.endswith("+json")):
        return
    if await request.body():
        said = f"of type {given[:_LONGEST]!r}" if given else "of no type"
        raise UnsupportedMediaError(
            f"the body is {said}, and only JSON is read", f"send it as Content-Type: {_JSON}"
        )
