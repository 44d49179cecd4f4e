"""Parts that are killed, frozen, filled or slowed while clients ask, a clock that jumps, and
clients that say nothing, too little or too slowly; `make faults` runs it."""

from __future__ import annotations

import asyncio
import json
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from faults.clients import QUESTIONS
from faults.drill import (
    Drill,
    Running,
    break_part,
    change_clock,
    fill_disk,
    freeze_part,
    read_moments,
    slow_disk,
)

_AWAY_SECONDS = 3.0
_FROZEN_SECONDS = 8.0
_FAULTS = {"kill -9": partial(break_part, seconds=_AWAY_SECONDS)}
_FAULTS["SIGSTOP"] = partial(freeze_part, seconds=_FROZEN_SECONDS)


@pytest.mark.parametrize("fault", _FAULTS)
@pytest.mark.parametrize("part", ["neo4j", "service"])
async def test_a_fault_of_neo4j_or_the_service(
    on_sqlite: Running, drill: Drill, part: str, fault: str
) -> None:
    broken = getattr(on_sqlite, part)
    await drill.run(f"{part}: {fault}", on_sqlite, partial(_FAULTS[fault], broken))


@pytest.mark.parametrize("fault", _FAULTS)
@pytest.mark.parametrize("part", ["postgres", "service"])
async def test_a_fault_where_the_store_is_a_postgresql(
    on_postgres: Running, drill: Drill, part: str, fault: str
) -> None:
    broken = getattr(on_postgres, part)
    name = f"{part}{' on postgres' * (part == 'service')}: {fault}"
    await drill.run(name, on_postgres, partial(_FAULTS[fault], broken))


@pytest.mark.parametrize("fault", _FAULTS)
async def test_a_fault_of_the_worker(on_worker: Running, drill: Drill, fault: str) -> None:
    assert on_worker.worker
    await drill.run(f"worker: {fault}", on_worker, partial(_FAULTS[fault], on_worker.worker))


@pytest.mark.parametrize("fault", _FAULTS)
async def test_a_fault_of_redis(on_redis: Running, drill: Drill, fault: str) -> None:
    assert on_redis.redis
    await drill.run(f"redis: {fault}", on_redis, partial(_FAULTS[fault], on_redis.redis))


async def test_a_full_disk_of_the_store(on_small_disk: Running, drill: Drill) -> None:
    assert on_small_disk.disk
    fault = partial(fill_disk, on_small_disk.disk, _FROZEN_SECONDS)
    await drill.run("disk of the store: full", on_small_disk, fault)


async def test_a_slow_disk_of_the_store(on_sqlite: Running, drill: Drill, tmp_path: Path) -> None:
    if shutil.which("strace") is None:
        pytest.skip("strace is not installed (Debian's package strace)")
    fault = partial(slow_disk, on_sqlite.service, tmp_path / "calls", _FROZEN_SECONDS)
    await drill.run("disk of the store: slow", on_sqlite, fault)


async def test_a_clock_that_jumps(on_own_clock: Running, drill: Drill) -> None:
    assert on_own_clock.clock
    fault = partial(change_clock, on_own_clock.clock, _FROZEN_SECONDS)
    await drill.run("clock of the service: an hour forward, back", on_own_clock, fault)
    moments = await read_moments(on_own_clock.store_url)
    assert moments[-1] - moments[0] > timedelta(hours=1.9)


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


_CLIENT_FAULTS = {
    f"{_HALF_OPEN} half-open connections": say_too_little,
    "16 clients of a byte a second": say_it_slowly,
    f"{_STREAMS:,} idle streams": listen_idly,
}


@pytest.mark.parametrize("fault", _CLIENT_FAULTS)
async def test_a_fault_of_clients(on_sqlite: Running, drill: Drill, fault: str) -> None:
    await drill.run(fault, on_sqlite, partial(_CLIENT_FAULTS[fault], on_sqlite))
