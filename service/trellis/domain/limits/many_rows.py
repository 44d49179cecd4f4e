"""Work over many rows, kept from holding the event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

FEW_ROWS = 300
"""Rows over which work that takes some 30 µs a row is done at once: a thread costs about as much as
ten rows, and the threads are shared with decoding."""


async def work_through_rows(
    rows: int, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs
) -> T:
    """What some work over so many rows gives; done in a thread where these are many."""
    if rows <= FEW_ROWS:
        return work(*args, **kwargs)
    return await asyncio.to_thread(work, *args, **kwargs)
