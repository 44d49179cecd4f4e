"""The size limit of request bodies, enforced while a body is received, chunked or not."""

from __future__ import annotations

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
