"""A line to a server that can be cut: what is said breaks off, as if the machine died."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from urllib.parse import urlsplit


class Line:
    """Passes bytes on, both ways, until it is cut."""

    def __init__(self, target: str) -> None:
        self.url = ""
        self._target = urlsplit(target)
        self._open: set[asyncio.StreamWriter] = set()
        self._server: asyncio.Server | None = None

    async def listen(self) -> None:
        self._server = await asyncio.start_server(self._joined, "127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    async def cut(self) -> None:
        """Break all connections, and take no more."""
        assert self._server
        self._server.close()
        self.drop()

    def drop(self) -> None:
        """Break all connections that there are."""
        for writer in list(self._open):
            writer.transport.abort()

    async def _joined(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        far_reader, far_writer = await asyncio.open_connection(
            self._target.hostname, self._target.port
        )
        ends = {writer, far_writer}
        self._open |= ends
        await asyncio.gather(_passed(reader, far_writer), _passed(far_reader, writer))
        self._open -= ends


async def _passed(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while data := await reader.read(65_536):
            writer.write(data)
            await writer.drain()
    writer.close()


@asynccontextmanager
async def cut_line(target: str) -> AsyncIterator[Line]:
    """A line to the server at `target`."""
    line = Line(target)
    await line.listen()
    try:
        yield line
    finally:
        await line.cut()
