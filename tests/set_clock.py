"""A clock that stands until it is set."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

Moment = TypeVar("Moment")


@dataclass
class SetClock(Generic[Moment]):
    """What time it is: seconds, or a date."""

    now: Moment

    def __call__(self) -> Moment:
        return self.now
