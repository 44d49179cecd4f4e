"""The verbs of an address: which ones it has, and HEAD wherever it has GET."""

from __future__ import annotations

from collections.abc import Sequence

from fastapi import FastAPI
from starlette.routing import Match
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_VERBS = ("GET", "POST", "DELETE")


def list_verbs(scope: Scope) -> Sequence[str]:
    """The verbs of the address of a request: all of its routes, of which the app tries the first
    one alone before it refuses a verb."""
    verbs = [verb for verb in _VERBS if _has_route(scope, verb)]
    return ["HEAD", *verbs] if "GET" in verbs else verbs


def _has_route(scope: Scope, verb: str) -> bool:
    """Whether a route takes the verb at the address of a request."""
    app: FastAPI = scope["app"]
    given = {name: scope[name] for name in ("type", "path", "root_path", "headers")}
    return any(
        route.matches({**given, "method": verb})[0] is Match.FULL for route in app.router.routes
    )


class HeadAsGet:
    """ASGI middleware that answers HEAD as GET is answered, without the body (RFC 9110, section
    9.3.2), where no route takes HEAD itself."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_head = scope["type"] == "http" and scope["method"] == "HEAD"
        if not is_head or _has_route(scope, "HEAD") or not _has_route(scope, "GET"):
            await self._app(scope, receive, send)
            return

        async def send_without_body(message: Message) -> None:
            await send({**message, "body": b""} if "body" in message else message)

        asked = {**scope, "method": "GET"}
        await self._app(asked, receive, send_without_body)
        scope["route"] = asked.get("route")
