"""The limits of request bodies, enforced while a body is received, chunked or not."""

from __future__ import annotations

import asyncio
import time

from starlette.types import Message, Receive


def limit_received_bytes(receive: Receive, limit: int, refusal: Exception) -> Receive:
    """`receive`, which raises `refusal` as soon as a body has more than `limit` bytes."""
    received = 0

    async def receive_counted() -> Message:
        nonlocal received
        message = await receive()
        received += len(message.get("body", b""))
        if received > limit:
            raise refusal
        return message

    return receive_counted


def limit_received_seconds(receive: Receive, seconds: float, refusal: Exception) -> Receive:
    """`receive`, which raises `refusal` where a body is not whole after `seconds` from now."""
    until = time.monotonic() + seconds
    is_whole = False

    async def receive_timed() -> Message:
        nonlocal is_whole
        if is_whole:
            return await receive()
        try:
            async with asyncio.timeout(until - time.monotonic()):
                message = await receive()
        except TimeoutError:
            raise refusal from None
        is_whole = not message.get("more_body", False)
        return message

    return receive_timed
