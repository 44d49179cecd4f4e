"""A heavy part, loaded when it is first asked for."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class Once(Generic[T]):
    """A heavy part, loaded when first asked for; a failure is tried again."""

    def __init__(self, load: Callable[[], Awaitable[T]]) -> None:
        self._load = load
        self._turn = asyncio.Lock()
        self._part: list[T] = []

    @property
    def loaded(self) -> T | None:
        """The part, if it is there already."""
        return self._part[0] if self._part else None

    async def get(self) -> T:
        async with self._turn:
            if not self._part:
                self._part.append(await self._load())
        return self._part[0]
