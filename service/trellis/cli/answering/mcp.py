"""`trellis mcp`: the tools of agents over stdio, by the Model Context Protocol."""

from __future__ import annotations

import asyncio
import os
import tempfile
from collections.abc import AsyncIterator
from contextlib import ExitStack, asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from trellis.cli.answering.asking import build_client, check_no_model
from trellis.cli.operation.children import end_children_on_signals, start_command
from trellis.cli.options import ModelOption, UrlOption
from trellis.client import Client
from trellis.domain.errors import ServiceError
from trellis.settings import Settings

if TYPE_CHECKING:
    from mcp.server.mcpserver import Context

_ATTEMPTS = 4  # an agent waits for a service that is busy


def mcp(
    url: UrlOption = None,
    model: ModelOption = None,
    cypher: Annotated[
        bool, typer.Option("--cypher", help="Let agents run Cypher queries that only read.")
    ] = False,
) -> None:
    """Serve tools to an agent over standard input and output.

    Without the address of a service, one of our own is started at the first call.
    """
    check_no_model(url, model)
    try:
        from trellis.client.agent_tools import build_agent_server
    except ModuleNotFoundError as error:
        remedy = "install trellis with the extra `mcp`"
        raise ServiceError(f"the package {error.name} is not installed", remedy) from error
    end_children_on_signals(exit_status=0)
    settings = Settings()
    with ExitStack() as stack:
        service = _Service(stack, settings, url or (None if model else settings.url), model)
        server = build_agent_server(service.open_client, cypher or settings.mcp_cypher)
        asyncio.run(server.run_stdio_async())


class _Service:
    """The service that answers: the one at an address, or our own, started when it is needed."""

    def __init__(
        self, stack: ExitStack, settings: Settings, address: str | None, model: str | None
    ) -> None:
        self._stack = stack
        self._settings = settings
        self._address = address
        self._model = model
        self._turn = asyncio.Lock()

    @asynccontextmanager
    async def open_client(self, _: Context[Any, Any]) -> AsyncIterator[Client]:
        async with self._turn:
            if self._address is None:
                self._address = await asyncio.to_thread(self._start)
        async with build_client(self._settings, self._address, _ATTEMPTS) as client:
            yield client

    def _start(self) -> str:
        folder = Path(self._stack.enter_context(tempfile.TemporaryDirectory()))
        model = ("--model", self._model) if self._model else ()
        command = ("serve", "--port", "0", *model)
        child = self._stack.enter_context(start_command(command, dict(os.environ), folder))
        return child.wait_for_address()
