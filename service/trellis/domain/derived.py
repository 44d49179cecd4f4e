"""Values that keep what was built from them."""

from __future__ import annotations

from collections.abc import Callable
from threading import RLock
from typing import Any, Self, TypeVar, cast

T = TypeVar("T")

_BUILDING = RLock()


class Derivable:
    """A value from which others build what takes long; that is kept with it, and ends with it.

    What was built is no field: it is neither compared, copied, pickled nor sent.
    """

    __slots__ = ("_parts",)

    _parts: dict[Callable[..., Any], Any]

    def derive(self, build: Callable[[Self], T]) -> T:
        """What a function makes of this value; several threads that ask at once make it once."""
        if not self.has_derived(build):
            with _BUILDING:
                if not self.has_derived(build):
                    self._keep_part(build, build(self))
        return cast(T, self._parts[build])

    def has_derived(self, build: Callable[..., Any]) -> bool:
        """Whether what a function makes of this value is there already."""
        return build in getattr(self, "_parts", {})

    def _keep_part(self, build: Callable[..., Any], part: object) -> None:
        if not hasattr(self, "_parts"):
            object.__setattr__(self, "_parts", {})  # values are frozen
        self._parts[build] = part
