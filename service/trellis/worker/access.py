"""Which of the app's routes are served, and who may ask for them.

vLLM's app has many routes that generate, describe the server or steer it, and asks for its key
under some path prefixes only. So both the route table and whoever stands before it go by what is
allowed: `restrict_routes` leaves the app no other route, and `AccessControl` answers in place of
the app, its middleware and whatever is added to it later.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from hashlib import sha256
from hmac import compare_digest
from http import HTTPStatus

from fastapi import APIRouter, FastAPI
from fastapi.responses import JSONResponse
from starlette.datastructures import Headers
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocketClose

from trellis.domain.errors import ServiceError
from trellis.wire.problems import MEDIA_TYPE, Problem

HEALTH_ROUTES = {"/health": "GET", "/livez": "GET", "/readyz": "GET"}
"""Paths that answer without a key, each with its method."""

ALLOWED_ROUTES = {
    **HEALTH_ROUTES,
    "/metrics": "GET",
    "/v1/decoder": "GET",
    "/v1/decode": "POST",
    "/v1/models": "GET",
    "/v1/completions": "POST",
    "/v1/chat/completions": "POST",
}
"""All paths that are served, each with its method."""

_POLICY_VIOLATION = 1008  # of WebSocket's closing codes (RFC 6455, section 7.4.1)


def read_keys(given: Sequence[str] | None) -> Sequence[str]:
    """The keys that requests need one of: those given, else VLLM_API_KEY; empty: no key is asked.

    Raises ServiceError where one is given and empty: vLLM would ask nobody.
    """
    if not all(given or ()):
        raise ServiceError("an --api-key is empty", "give a key, or leave --api-key out")
    return given or [key for key in [os.environ.get("VLLM_API_KEY")] if key]


def restrict_routes(app: FastAPI) -> None:
    """Leave an app no route but the allowed ones, each of which leads to what it led to before.

    The table is made anew, so that it does not matter of which kind the app's routes are.
    """
    former = APIRouter(routes=list(app.router.routes), redirect_slashes=False)
    app.router.routes[:] = [
        Route(path, former, methods=[method]) for path, method in ALLOWED_ROUTES.items()
    ]
    app.router.redirect_slashes = False
    app.root_path = ""  # `AccessControl` knows the prefix


class AccessControl:
    """ASGI app that passes allowed requests on to `app`, under the very path that was checked.

    `keys`: every path but those of health asks for one of them; none: nobody is asked.
    `prefix`: where a proxy shows the app to the world; requests may come with or without it.
    """

    def __init__(self, app: ASGIApp, keys: Iterable[str], prefix: str = "") -> None:
        self._app = app
        self._digests = [_digest(key) for key in keys]
        self._prefix = prefix.rstrip("/")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
        elif scope["type"] == "http":
            path = self._strip_prefix(scope["path"])
            passed = {**scope, "path": path, "raw_path": path.encode(), "root_path": ""}
            answer = self._refuse(passed) or self._app
            await answer(passed, receive, send)
        else:
            await WebSocketClose(_POLICY_VIOLATION)(scope, receive, send)

    def _strip_prefix(self, path: str) -> str:
        return path if path in ALLOWED_ROUTES else path.removeprefix(self._prefix)

    def _refuse(self, scope: Scope) -> JSONResponse | None:
        """The refusal of a request; None where it may pass."""
        path, method = scope["path"], scope["method"]
        if self._digests and path not in HEALTH_ROUTES and not self._has_key(scope):
            return _refuse_key(path)
        if path not in ALLOWED_ROUTES:
            return _refuse_path(path)
        if method != ALLOWED_ROUTES[path]:
            return _refuse_method(path, method)
        return None

    def _has_key(self, scope: Scope) -> bool:
        """Whether a request carries a key; takes the same time for whatever it carries."""
        scheme, _, key = Headers(scope=scope).get("Authorization", "").partition(" ")
        given = _digest(key)
        equal = [compare_digest(given, known) for known in self._digests]
        return scheme.lower() == "bearer" and any(equal)


def _digest(key: str) -> bytes:
    return sha256(key.encode()).digest()


def _refuse_key(path: str) -> JSONResponse:
    detail = "the request carries no key that this worker knows"
    remedy = "send the worker's key as `Authorization: Bearer KEY` (TRELLIS_WORKER_KEY sets it)"
    return _problem(401, detail, remedy, path, {"WWW-Authenticate": "Bearer"})


def _refuse_path(path: str) -> JSONResponse:
    return _problem(404, "this worker has no such path", f"ask {', '.join(ALLOWED_ROUTES)}", path)


def _refuse_method(path: str, method: str) -> JSONResponse:
    allowed = ALLOWED_ROUTES[path]
    return _problem(405, f"{path} takes no {method}", f"use {allowed}", path, {"Allow": allowed})


def _problem(
    status: int, detail: str, remedy: str, path: str, headers: dict[str, str] | None = None
) -> JSONResponse:
    title = HTTPStatus(status).phrase
    body = Problem(
        type="about:blank", title=title, status=status, detail=detail, remedy=remedy, instance=path
    )
    return JSONResponse(body.model_dump(), status, headers, MEDIA_TYPE)
