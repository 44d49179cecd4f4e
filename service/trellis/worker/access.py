"""Which of the app's routes are served, and to whom.

vLLM's app has many routes that generate text, describe the server or control it, and it asks for
its key under some path prefixes only. So access is checked twice against a list of what is allowed:
`restrict_routes` removes all other routes from the app, and `AccessControl` refuses requests before
they reach the app, its middleware, or anything that is added to it later.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from hashlib import sha256
from hmac import compare_digest

from fastapi import APIRouter, FastAPI
from fastapi.responses import JSONResponse
from starlette.datastructures import Headers
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocketClose

from trellis.domain.errors import ServiceError
from trellis.http.problems import build_problem, render_problem

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

_KEY = "send the worker's key as `Authorization: Bearer KEY` (TRELLIS_WORKER_KEY sets it)"
_POLICY_VIOLATION = 1008  # of WebSocket's closing codes (RFC 6455, section 7.4.1)


def read_keys(given_keys: Sequence[str] | None) -> Sequence[str]:
    """The keys of which a request has to carry one: those given, else VLLM_API_KEY.

    Empty where no key is required. Raises ServiceError for a key that is empty, because vLLM would
    then require none.
    """
    if not all(given_keys or ()):
        raise ServiceError("an --api-key is empty", "give a key, or leave --api-key out")
    return given_keys or [key for key in [os.environ.get("VLLM_API_KEY")] if key]


def check_no_tls(ssl_keyfile: str | None, ssl_certfile: str | None) -> None:
    """Raises ServiceError where a certificate is given: the worker speaks no TLS by itself, and a
    key would travel in the clear."""
    if ssl_keyfile or ssl_certfile:
        raise ServiceError(
            "the worker speaks no TLS by itself, so --ssl-keyfile and --ssl-certfile have no use",
            "put a proxy that speaks TLS before the worker, and leave them out",
        )


def restrict_routes(app: FastAPI) -> None:
    """Remove all routes of an app but the allowed ones, which go on to the handlers they had.

    The table is rebuilt, so it does not matter of which kind the app's routes are.
    """
    former = APIRouter(routes=list(app.router.routes), redirect_slashes=False)
    app.router.routes[:] = [
        Route(path, former, methods=[method]) for path, method in ALLOWED_ROUTES.items()
    ]
    app.router.redirect_slashes = False
    app.root_path = ""  # `AccessControl` knows the prefix


class AccessControl:
    """ASGI app that passes allowed requests on to `app`, with exactly the path that was checked.

    `keys`: all paths but those of health require one of them; where there are none, no path does.
    `prefix`: the path under which a proxy serves the app; requests may have it or not.
    """

    def __init__(self, app: ASGIApp, keys: Iterable[str], prefix: str = "") -> None:
        self._app = app
        self._digests = [_digest_key(key) for key in keys]
        self._prefix = prefix.rstrip("/")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
        elif scope["type"] == "http":
            path = self._strip_prefix(scope["path"])
            passed = {**scope, "path": path, "raw_path": path.encode(), "root_path": ""}
            answer = self._find_refusal(passed) or self._app
            await answer(passed, receive, send)
        else:
            await WebSocketClose(_POLICY_VIOLATION)(scope, receive, send)

    def _strip_prefix(self, path: str) -> str:
        return path if path in ALLOWED_ROUTES else path.removeprefix(self._prefix)

    def _find_refusal(self, scope: Scope) -> JSONResponse | None:
        """The refusal of a request; None where it may pass."""
        path, method, allowed = scope["path"], scope["method"], ALLOWED_ROUTES.get(scope["path"])
        if self._digests and path not in HEALTH_ROUTES and not self._has_key(scope):
            detail = "the request carries no key that this worker knows"
            return _refuse(401, detail, _KEY, path, {"WWW-Authenticate": "Bearer"})
        if allowed is None:
            remedy = f"ask {', '.join(ALLOWED_ROUTES)}"
            return _refuse(404, "this worker has no such path", remedy, path)
        if method != allowed:
            headers = {"Allow": allowed}
            return _refuse(405, f"{path} takes no {method}", f"use {allowed}", path, headers)
        return None

    def _has_key(self, scope: Scope) -> bool:
        """Whether a request carries a valid key; the comparison takes the same time for any key."""
        scheme, _, key = Headers(scope=scope).get("Authorization", "").partition(" ")
        given = _digest_key(key)
        equal = [compare_digest(given, known) for known in self._digests]
        return scheme.lower() == "bearer" and any(equal)


def _digest_key(key: str) -> bytes:
    return sha256(key.encode()).digest()


def _refuse(
    status: int, detail: str, remedy: str, path: str, headers: dict[str, str] | None = None
) -> JSONResponse:
    return render_problem(build_problem(status, detail, remedy, path), headers)
