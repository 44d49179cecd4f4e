"""Reads server-sent events."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator

_BETWEEN = re.compile(r"\r\n\r\n|\n\n|\r\r")
_LINES = re.compile(r"\r\n|\n|\r")  # not `splitlines`: JSON may hold U+2028 as it is


async def read_events(texts: AsyncIterator[str]) -> AsyncIterator[tuple[str, str]]:
    """Name and data of each event; comments (pings) are skipped."""
    waiting = ""
    async for text in texts:
        *whole, waiting = _BETWEEN.split(waiting + text)
        for block in whole:
            fields = [line.partition(":")[::2] for line in _LINES.split(block)]
            event = {name: value.removeprefix(" ") for name, value in fields}
            if "event" in event:
                yield event["event"], event.get("data", "")
