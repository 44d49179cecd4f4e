"""Lets requests in or refuses them, before their bodies are read; notes what became of them."""

from __future__ import annotations

import time
from collections.abc import Sequence

from fastapi import Request
from fastapi.responses import JSONResponse
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocketClose

from trellis.access.audit import begin_note, note_error
from trellis.access.guard import AccessRequest, Admission, Guard
from trellis.access.rates import RateState
from trellis.api.chats.chat_errors import is_chat_path, render_chat_error
from trellis.api.graph_paths import get_named_graph
from trellis.api.middleware.problems import respond_with_error
from trellis.domain.errors import (
    AccessError,
    KeyRefusedError,
    KeyRequiredError,
    RateLimitError,
    ScopeError,
    TrellisError,
)

_POLICY_VIOLATION = 1008  # of WebSocket's closing codes (RFC 6455, section 7.4.1)
_CHALLENGE = 'Bearer realm="trellis"'


class AccessMiddleware:
    """ASGI middleware that asks the app's guard about each request; routes find the caller in
    `request.state.caller`."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":  # there is none
            await WebSocketClose(_POLICY_VIOLATION)(scope, receive, send)
        elif scope["type"] == "http":
            await self._answer(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        guard: Guard = scope["app"].state.guard
        asked, admission, began, status = _read_request(scope), Admission(), time.perf_counter(), 0

        is_stream = is_written = False

        async def send_with_rates(message: Message) -> None:
            nonlocal status, is_stream
            if message["type"] == "http.response.start":
                status, headers = message["status"], MutableHeaders(scope=message)
                is_stream = headers.get("content-type", "").startswith("text/event-stream")
                headers.update(_build_rate_headers(admission.rates))
            elif not (is_stream and message.get("more_body")) or note.rows is not None:
                await write_audit()  # of a stream: before its answer, or its end without one
            await send(message)

        async def write_audit() -> None:
            """Keep the request's row before its answer goes out, so that no end loses it."""
            nonlocal is_written
            if admission.caller and status != 429 and not is_written:  # a flood would fill it
                is_written = True
                seconds = time.perf_counter() - began
                await guard.write_audit(asked, admission.caller, note, status, seconds)

        with begin_note() as note:
            try:
                refusal = await self._admit(guard, asked, admission, scope)
                await (refusal or self._app)(scope, receive, send_with_rates)
            finally:
                await write_audit()

    async def _admit(
        self, guard: Guard, asked: AccessRequest, admission: Admission, scope: Scope
    ) -> JSONResponse | None:
        """Let a request in, or give the response that refuses it."""
        try:
            await guard.admit(asked, admission)
        except TrellisError as error:
            note_error(error)
            if isinstance(error, RateLimitError):
                admission.rates = [rate for rate in error.rates if isinstance(rate, RateState)]
            return _build_response(error, Request(scope))
        scope.setdefault("state", {})["caller"] = admission.caller
        return None


def _read_request(scope: Scope) -> AccessRequest:
    client = scope.get("client")
    return AccessRequest(
        verb=scope["method"],
        path=scope["path"],
        graph=get_named_graph(scope) or scope["app"].state.graphs.default.name,
        query=scope["query_string"].decode("latin-1"),
        authorization=Headers(scope=scope).getlist("Authorization"),
        address=client[0] if client else "",
        host=Headers(scope=scope).get("Host", ""),
    )


def _build_response(error: TrellisError, request: Request) -> JSONResponse:
    is_chat = is_chat_path(request.url.path)
    response = render_chat_error(error) if is_chat else respond_with_error(error, request)
    if isinstance(error, AccessError) and (challenge := _build_challenge(error)):
        response.headers["WWW-Authenticate"] = challenge
    if isinstance(error, RateLimitError):
        waits = [rate.reset_seconds for rate in error.rates if isinstance(rate, RateState)]
        response.headers["Retry-After"] = str(max(waits, default=1))
    return response


def _build_challenge(error: AccessError) -> str:
    """What RFC 6750 has a server say of a bearer token; empty where the token is not at fault."""
    if isinstance(error, KeyRequiredError):
        return _CHALLENGE
    if isinstance(error, KeyRefusedError):
        return f'{_CHALLENGE}, error="invalid_token"'
    if isinstance(error, ScopeError):
        wanted = f', scope="{" ".join(error.scopes)}"' if error.scopes else ""
        return f'{_CHALLENGE}, error="insufficient_scope"{wanted}'
    return ""


def _build_rate_headers(rates: Sequence[RateState]) -> dict[str, str]:
    """`RateLimit-Policy` and `RateLimit`, as the draft of the IETF has them (version 11)."""
    if not rates:
        return {}
    policies = [f'"{it.limit}";q={it.limit.amount};w={it.limit.get_expiry()}' for it in rates]
    states = [f'"{it.limit}";r={it.remaining};t={it.reset_seconds}' for it in rates]
    return {"RateLimit-Policy": ", ".join(policies), "RateLimit": ", ".join(states)}
