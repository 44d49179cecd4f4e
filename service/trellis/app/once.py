"""A heavy part that is loaded at its first use."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

from trellis.domain.limits.sharing import SharedAttempt

T = TypeVar("T")


class LazyPart(Generic[T]):
    """A part that is loaded at its first use; after a failure the next use tries again, and who
    waited meanwhile gets its error."""

    def __init__(self, load: Callable[[], Awaitable[T]]) -> None:
        self._load = load
        self._attempt = SharedAttempt()
        self._part: list[T] = []

    @property
    def loaded(self) -> T | None:
        """The part if it is loaded already, else None."""
        return self._part[0] if self._part else None

    async def get(self) -> T:
        """The part, loaded if it is not yet; raises what loading raises."""
        async with self._attempt.hold():
            if not self._part:
                self._part.append(await self._load())
        return self._part[0]
