"""`/v1/graphs/{graph}/…` is `/v1/…` of that graph, whatever routes there are."""

from __future__ import annotations

import re

from starlette.types import ASGIApp, Receive, Scope, Send

_OF_GRAPH = re.compile(r"/v1/graphs/([^/]+)/(?!graphs(?:/|$))(.+)", re.DOTALL)
_GRAPH, _ASKED_PATH = "trellis.graph", "trellis.asked_path"


class GraphPaths:
    """ASGI middleware that takes the graph out of a path, and keeps both in the scope."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        match = _OF_GRAPH.fullmatch(scope.get("path", ""))
        if match:
            graph, rest = match.groups()
            scope[_GRAPH], scope[_ASKED_PATH] = graph, scope["path"]
            scope["path"] = f"/v1/{rest}"
            scope["raw_path"] = scope["path"].encode()
        await self._app(scope, receive, send)


def get_named_graph(scope: Scope) -> str | None:
    """The graph that a request's path names; None where it names none."""
    return scope.get(_GRAPH)


def get_asked_path(scope: Scope) -> str:
    """The path of a request as it was sent."""
    return str(scope.get(_ASKED_PATH, scope["path"]))
