"""Requests that no client library sends, over a raw socket to the real server."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from memory_app import MemoryGraph, app_of, listening

LENGTHS = {
    "both": ("Content-Length: 5", "Transfer-Encoding: chunked"),
    "the other way round": ("Transfer-Encoding: chunked", "Content-Length: 5"),
    "in small letters": ("content-length: 5", "transfer-encoding: chunked"),
}
SMUGGLED = "0\r\n\r\nGET /livez HTTP/1.1\r\nHost: trellis\r\n\r\n"


@pytest.mark.parametrize("headers", LENGTHS.values(), ids=LENGTHS)
async def test_a_request_with_two_lengths_is_refused_and_its_connection_closed(
    headers: tuple[str, str], tmp_path: Path
) -> None:
    async with listening(app_of(tmp_path, MemoryGraph())) as address:
        host, _, port = address.removeprefix("http://").partition(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        begin = ("POST /v1/questions HTTP/1.1", "Host: trellis", *headers, "", "")
        writer.write(("\r\n".join(begin) + SMUGGLED).encode())
        async with asyncio.timeout(30):
            answered = (await reader.read()).decode()
        writer.close()
        await writer.wait_closed()
    assert answered.startswith("HTTP/1.1 400")
    assert answered.count("HTTP/1.1 ") == 1
    assert "urn:trellis:problem:two-lengths" in answered
