"""Events of a question that is being answered, and the step that it is in."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, Literal


@dataclass(frozen=True, slots=True)
class Event:
    """The outcome of one step: mentions, the best chain so far, candidates, evidence, or what one
    of several methods came to, as values of the domain; or the place in the line of those who wait
    for their turn, 1 being the next."""

    name: Literal["place", "links", "chain", "candidates", "evidence", "opinion"]
    data: Any


Watch = Callable[[Event], None]


def ignore_event(_: Event) -> None:
    """Ignore an event: the watch of a question that nobody watches."""


def _ignore_step(_: str) -> None:
    """Ignore a step: of a question whose steps nobody follows."""


@dataclass(slots=True)
class Trail:
    """The step that a question entered last; `tell` is called with each."""

    step: str = "wait"
    tell: Callable[[str], None] = _ignore_step


_TRAIL: ContextVar[Trail | None] = ContextVar("trail", default=None)


@contextmanager
def follow_trail(tell: Callable[[str], None] = _ignore_step) -> Iterator[Trail]:
    """The trail of the question that is answered inside the block; an outer trail is shared.
    `tell` is called with each step that is entered, where there is no outer one."""
    trail = _TRAIL.get() or Trail(tell=tell)
    token = _TRAIL.set(trail)
    try:
        yield trail
    finally:
        _TRAIL.reset(token)


def enter_step(step: str) -> None:
    """Record that the current question enters a step; nothing happens outside of a trail."""
    if (trail := _TRAIL.get()) is not None:
        trail.step = step
        trail.tell(step)
