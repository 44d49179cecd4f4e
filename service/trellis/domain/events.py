"""What a question tells while it is being answered, for those who watch."""

from __future__ import annotations

from collections.abc import Callable
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
