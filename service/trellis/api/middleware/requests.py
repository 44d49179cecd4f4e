"""The id of each request: the client's own or a new one; in the response, logs and problems."""

from __future__ import annotations

import re
import time
import uuid

import structlog
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from trellis.access.tokens import hide_token
from trellis.api.description.problem_examples import build_unexpected_problem
from trellis.api.graph_paths import get_asked_path
from trellis.api.operation.metrics import Metrics
from trellis.http.problems import render_problem
from trellis.logs import log, set_private_texts

HEADER = "X-Request-ID"
_SAFE_ID = re.compile(r"[A-Za-z0-9._:/+=-]{1,128}")


class RequestMiddleware:
    """ASGI middleware that gives each request an id, and logs and counts it.

    An unforeseen error ends here: it becomes a problem and a log line.
    """

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self._app = app
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return await self._app(scope, receive, send)
        id, began, status = _choose_id(scope), time.perf_counter(), 0
        set_private_texts()

        async def send_with_id(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                MutableHeaders(scope=message)[HEADER] = id
            await send(message)

        with structlog.contextvars.bound_contextvars(request_id=id):
            try:
                await self._app(scope, receive, send_with_id)
            except Exception as error:
                log.error("unhandled", path=scope["path"], exc_info=error)
                if status:
                    raise
                problem = build_unexpected_problem(get_asked_path(scope), id)
                await render_problem(problem)(scope, receive, send_with_id)
            finally:
                self._log_request(scope, status, time.perf_counter() - began)

    def _log_request(self, scope: Scope, status: int, seconds: float) -> None:
        route = getattr(scope.get("route"), "path", "none")
        self._metrics.requests.labels(
            scope["method"] if status != 405 else "-", route, status
        ).inc()
        level = log.debug if route in ("/livez", "/readyz", "/metrics") else log.info
        level(
            "request",
            method=scope["method"],
            path=hide_token(get_asked_path(scope)),
            status=status,
            ms=round(seconds * 1000, 1),
        )


def _choose_id(scope: Scope) -> str:
    given = Headers(scope=scope).get(HEADER, "")
    return given if _SAFE_ID.fullmatch(given) else uuid.uuid4().hex
