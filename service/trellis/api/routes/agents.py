"""`/mcp`: the tools of agents over HTTP, by the Model Context Protocol.

A tool calls the service's own routes with the key of whoever called it, so that all that holds
there holds here. The protocol's package is imported at the first request.
"""

from __future__ import annotations

import asyncio
import importlib.util
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import httpx
from fastapi import FastAPI
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from trellis.api.graph_paths import get_named_graph
from trellis.client import Client
from trellis.http.disconnects import cancel_tasks
from trellis.http.problems import build_problem, render_problem
from trellis.settings import Settings

if TYPE_CHECKING:
    from mcp.server.mcpserver import Context, MCPServer

_PATH = "/mcp"
PATHS = (_PATH, "/v1/mcp")
"""The paths of the endpoint; the second one makes it `/v1/graphs/{graph}/mcp`, too."""

_LOOPBACK = frozenset(("127.0.0.1", "localhost", "::1"))


class AgentEndpoint:
    """An ASGI app that starts the server of the tools at its first request."""

    def __init__(self, app: FastAPI, settings: Settings) -> None:
        self._app = app
        self._settings = settings
        self._running: asyncio.Task[None] | None = None
        self._served: asyncio.Future[ASGIApp] | None = None

    @asynccontextmanager
    async def keep_running(self) -> AsyncIterator[None]:
        """Within this, requests are served."""
        try:
            yield
        finally:
            running, self._running, self._served = self._running, None, None
            if running:
                await cancel_tasks(running)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        refusal = _find_refusal(scope, self._settings.cors_origin_list)
        if refusal:
            status, detail, remedy = refusal
            problem = build_problem(status, detail, remedy, _PATH)
            await render_problem(problem)(scope, receive, send)
            return
        if self._served is None:
            self._served = asyncio.get_running_loop().create_future()
            self._running = asyncio.create_task(self._run_server(self._served))
        served = await asyncio.shield(self._served)
        await served({**scope, "path": _PATH}, receive, send)

    async def _run_server(self, ready: asyncio.Future[ASGIApp]) -> None:
        """Run the server until the service ends; its ASGI app is given when it is ready."""
        try:
            server, served = self._build_server()
        except Exception as error:  # whoever waits is told, and the next request tries again
            self._served = None
            ready.set_exception(error)
            return
        async with server.session_manager.run():
            ready.set_result(served)
            await asyncio.Event().wait()

    def _build_server(self) -> tuple[MCPServer[Any], ASGIApp]:
        from mcp.server.transport_security import TransportSecuritySettings

        from trellis.client.agent_tools import build_agent_server

        server = build_agent_server(self._open_client, self._settings.mcp_cypher)
        return server, server.streamable_http_app(
            streamable_http_path=_PATH,
            stateless_http=True,
            json_response=True,
            max_request_body_size=self._settings.body_limit,
            # who may call is checked here, and by the routes that the tools call
            transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),
        )

    @asynccontextmanager
    async def _open_client(self, context: Context[Any, Any]) -> AsyncIterator[Client]:
        """A client of this very service, in the name of whoever calls the tool."""
        from trellis.client.agent_tools import read_key

        request = context.request_context.request
        caller = (request.client.host, request.client.port) if request and request.client else None
        transport = httpx.ASGITransport(self._app, client=caller or ("agent", 0))
        key, graph = read_key(context.headers), get_named_graph(request.scope) if request else None
        async with Client(
            "http://trellis", attempts=1, key=key, graph=graph, transport=transport
        ) as client:
            yield client


def _find_refusal(scope: Scope, allowed: Sequence[str]) -> tuple[int, str, str] | None:
    """Why a request is refused: pages of other origins may not call, and the package may lack."""
    headers = Headers(scope=scope)
    given = headers.get("origin", "")
    origin = urlsplit(given).hostname
    is_foreign = origin is not None and origin not in _LOOPBACK and given not in allowed
    if is_foreign and "authorization" not in headers:
        return 403, f"a page of {origin} may not call tools", "send a key, or no Origin"
    if importlib.util.find_spec("mcp") is None:
        return 501, "the package mcp is not installed", "install trellis with the extra `mcp`"
    return None
