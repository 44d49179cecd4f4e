"""Clients that say nothing, too little or too slowly, beside others that ask; `make faults` runs
it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from urllib.parse import urlsplit

import pytest

from faults.clients import QUESTIONS
from faults.drill import Drill, Running

_STREAMS = 1_000
_HALF_OPEN = 300
_PATIENCE = 120.0  # seconds; it only ends a drill that hangs

Connection = tuple[asyncio.StreamReader, asyncio.StreamWriter]


def build_request(running: Running) -> bytes:
    """A question that is asked as a stream, byte by byte as it travels."""
    body = json.dumps({"question": QUESTIONS[0]}).encode()
    head = (
        *("POST /v1/questions HTTP/1.1", "Host: trellis", "Accept: text/event-stream"),
        *("Content-Type: application/json", f"Content-Length: {len(body)}"),
        *(f"Authorization: Bearer {running.key}", "", ""),
    )
    return "\r\n".join(head).encode() + body


@asynccontextmanager
async def connecting(running: Running, count: int) -> AsyncIterator[list[Connection]]:
    """So many connections to the service, while the block runs."""
    address = urlsplit(running.service.address)
    opened: list[Connection] = []
    try:
        for _ in range(count):
            opened.append(await asyncio.open_connection(address.hostname, address.port))
        yield opened
    finally:
        for _, writer in opened:
            writer.close()
        await asyncio.gather(*(it.wait_closed() for _, it in opened), return_exceptions=True)


async def say_too_little(running: Running) -> None:
    """Connections that stop in the middle of a request, until the service has closed each."""
    request = build_request(running)
    async with connecting(running, _HALF_OPEN) as opened, asyncio.timeout(_PATIENCE):
        for number, (_, writer) in enumerate(opened):
            writer.write(request[: (0, 30, len(request) - 9)[number % 3]])
        await asyncio.gather(*(reader.read() for reader, _ in opened))


async def say_it_slowly(running: Running) -> None:
    """Connections that send a byte a second, until the service has closed each."""
    request = build_request(running)
    async with connecting(running, 16) as opened, asyncio.timeout(_PATIENCE):
        endings = asyncio.gather(*(reader.read() for reader, _ in opened), return_exceptions=True)
        for at in range(len(request)):
            for _, writer in opened:
                writer.write(request[at : at + 1])
            if (await asyncio.wait({endings}, timeout=1))[0]:
                return
        raise AssertionError("a request that took minutes was waited for")


async def listen_idly(running: Running) -> None:
    """Streams whose listeners read nothing, and leave after a while."""
    async with connecting(running, _STREAMS) as opened:
        for _, writer in opened:
            writer.write(build_request(running))
        await asyncio.sleep(10)


_FAULTS = {
    f"{_HALF_OPEN} half-open connections": say_too_little,
    "16 clients of a byte a second": say_it_slowly,
    f"{_STREAMS:,} idle streams": listen_idly,
}


@pytest.mark.parametrize("fault", _FAULTS)
async def test_a_fault_of_clients(on_sqlite: Running, drill: Drill, fault: str) -> None:
    await drill.run(fault, on_sqlite, partial(_FAULTS[fault], on_sqlite))
