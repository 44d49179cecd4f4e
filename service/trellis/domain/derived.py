"""Values that keep what was built from them."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock, RLock
from typing import Any, Self, TypeVar, cast

T = TypeVar("T")

_OPENING = Lock()  # held for an instant, and never while anything is built


class _Part:
    """What one function made of a value: nothing yet, or one thing. `turn`: of who makes it."""

    __slots__ = ("made", "turn")

    def __init__(self, *made: Any) -> None:
        self.made = list(made)
        self.turn = RLock()


class Derivable:
    """A value from which others build what takes long; that is kept with it, and ends with it.

    What was built is no field: it is neither compared, copied, pickled nor sent.
    """

    __slots__ = ("_parts",)

    _parts: dict[Callable[..., Any], _Part]

    def derive(self, build: Callable[[Self], T]) -> T:
        """What a function makes of this value. Several threads that ask at once make it once, and
        nobody waits for what another function makes, or what is made of another value."""
        parts = self._open_parts()
        part = parts.get(build) or parts.setdefault(build, _Part())
        if not part.made:
            with part.turn:
                if not part.made:
                    part.made.append(build(self))
        return cast(T, part.made[0])

    def has_derived(self, build: Callable[..., Any]) -> bool:
        """Whether what a function makes of this value is there already."""
        part = self._open_parts().get(build)
        return part is not None and bool(part.made)

    def take_derived(self, build: Callable[[Self], T], made: T) -> None:
        """Keep what a function made of an equal value, in place of what it makes of this one."""
        self._open_parts()[build] = _Part(made)

    def _open_parts(self) -> dict[Callable[..., Any], _Part]:
        if not hasattr(self, "_parts"):
            with _OPENING:
                if not hasattr(self, "_parts"):
                    object.__setattr__(self, "_parts", {})  # values are frozen
        return self._parts
