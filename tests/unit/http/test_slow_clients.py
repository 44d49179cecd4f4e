"""Connections whose other end says too little, over raw sockets to a real server."""

from __future__ import annotations

import asyncio
import socket
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest
import uvicorn
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from memory_app import MemoryGraph, app_of
from trellis.api.middleware.bodies import BodyLimit
from trellis.cli.operation.serve import bind_socket
from trellis.http.connections import PromptProtocol

ASKED = b'{"question": "What is the capital of France?"}'
HEAD = (
    b"POST /v1/questions HTTP/1.1\r\nHost: trellis\r\nContent-Type: application/json\r\n"
    b"Content-Length: %d\r\n\r\n" % len(ASKED)
)


class HurriedProtocol(PromptProtocol):
    """The same, within a test's patience."""

    head_seconds = 0.5
    reading_seconds = 0.5


@asynccontextmanager
async def connecting(app: ASGIApp) -> AsyncIterator[tuple[str, int]]:
    """Where an app listens that gives the head of a request half a second, and as much to read."""
    config = uvicorn.Config(app, http=HurriedProtocol, log_config=None, ws="none")
    server = uvicorn.Server(config)
    bound = bind_socket("127.0.0.1", 0)
    config.load()
    server.lifespan = config.lifespan_class(config)
    await server.startup([bound])
    try:
        yield bound.getsockname()
    finally:
        await server.shutdown([bound])


@pytest.mark.slow
@pytest.mark.parametrize("said", [b"", b"POST /v1/quest", HEAD[:-2]], ids=["nothing", "a", "most"])
async def test_a_connection_without_a_request_is_closed(tmp_path: Path, said: bytes) -> None:
    async with connecting(app_of(tmp_path, MemoryGraph())) as address, asyncio.timeout(600):
        reader, writer = await asyncio.open_connection(*address)
        writer.write(said)
        assert await reader.read() == b""
        writer.close()


async def test_a_head_that_comes_byte_by_byte_is_not_waited_for(tmp_path: Path) -> None:
    async with connecting(app_of(tmp_path, MemoryGraph())) as address, asyncio.timeout(600):
        reader, writer = await asyncio.open_connection(*address)
        reading = asyncio.create_task(reader.read())
        for at in range(len(HEAD)):
            writer.write(HEAD[at : at + 1])
            if (await asyncio.wait({reading}, timeout=0.05))[0]:
                break
        with suppress(ConnectionResetError):  # of bytes that came behind its end
            assert await reading == b""
        writer.close()


async def test_who_sends_its_request_in_time_is_answered_again_and_again(tmp_path: Path) -> None:
    async with connecting(app_of(tmp_path, MemoryGraph())) as address, asyncio.timeout(600):
        reader, writer = await asyncio.open_connection(*address)
        for _ in range(2):
            writer.write(HEAD + ASKED[:9])
            await writer.drain()
            await asyncio.sleep(0)
            writer.write(ASKED[9:])
            head = await reader.readuntil(b"\r\n\r\n")
            assert head.startswith(b"HTTP/1.1 200")
            length = int(head.lower().split(b"content-length: ")[1].split(b"\r\n")[0])
            assert b"Paris" in await reader.readexactly(length)
        writer.close()


@pytest.mark.slow
@pytest.mark.parametrize("path", ["questions", "chat/completions"])
async def test_a_body_that_does_not_come_is_refused_and_its_connection_closed(
    tmp_path: Path, path: str
) -> None:
    async with (
        connecting(BodyLimit(app_of(tmp_path, MemoryGraph()), 1_000_000, 0.3)) as address,
        asyncio.timeout(600),
    ):
        reader, writer = await asyncio.open_connection(*address)
        writer.write(HEAD.replace(b"questions", path.encode()) + ASKED[:9])
        told = (await reader.read()).decode()
        writer.close()
    assert told.startswith("HTTP/1.1 408")
    assert "the body was not whole after 0.3 s" in told


async def test_an_answer_that_is_not_read_is_given_up() -> None:
    whole, ended = 50_000_000, asyncio.Event()  # more than the system takes in for both ends

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        assert scope["type"] == "http"
        await Response(b"x" * whole)(scope, receive, send)
        ended.set()

    async with connecting(app) as address, asyncio.timeout(600):
        with socket.create_connection(address) as client:
            client.sendall(b"GET / HTTP/1.1\r\nHost: trellis\r\n\r\n")
            await ended.wait()


def test_small_answers_are_sent_at_once_and_the_system_looks_who_is_there() -> None:
    """Else each answer waits for the acknowledgement of the last: 40 ms."""
    with bind_socket("127.0.0.1", 0) as bound:
        bound.listen()
        with socket.create_connection(bound.getsockname()):
            accepted, _ = bound.accept()
            with accepted:
                assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
                assert accepted.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)
                assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) > 0


def test_as_many_connections_may_be_open_as_the_system_allows() -> None:
    code = (
        "import resource; from trellis.http.connections import allow_many_connections;"
        "resource.setrlimit(resource.RLIMIT_NOFILE, (256, 2048)); allow_many_connections();"
        "print(resource.getrlimit(resource.RLIMIT_NOFILE))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "(2048, 2048)\n"
