"""What a question tells while it is being answered, for those who watch."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, Literal


@dataclass(frozen=True, slots=True)
class Event:
    """One step's outcome: mentions, tried candidates or evidence, as values of the domain."""

    name: Literal["links", "candidates", "evidence"]
    data: Any


Watch = Callable[[Event], None]


def unwatched(_: Event) -> None:
    """Nobody watches."""


@dataclass(slots=True)
class Trail:
    """Where a question is: the step that it entered last."""

    step: str = "wait"


_TRAIL: ContextVar[Trail | None] = ContextVar("trail", default=None)


@contextmanager
def trailed() -> Iterator[Trail]:
    """The trail of the question that is answered inside; one that is followed goes on."""
    trail = _TRAIL.get() or Trail()
    token = _TRAIL.set(trail)
    try:
        yield trail
    finally:
        _TRAIL.reset(token)


def entering(step: str) -> None:
    """A question enters a step; where nobody follows it, nothing happens."""
    if (trail := _TRAIL.get()) is not None:
        trail.step = step
