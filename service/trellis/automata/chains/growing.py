"""What a language has to offer so that it can grow while a model writes in it."""

from __future__ import annotations

from typing import Any, Protocol, Self, runtime_checkable

from trellis.automata.language import Language, S, V
from trellis.domain.graphs.graph import NodeId


@runtime_checkable
class GrowingLanguage(Language[S, V], Protocol):
    """A language whose sentences consist of parts, and that may be extended between two of them.

    The states and moves of a language are states and moves of what it was extended to, with the
    same meaning; a state at a part's end may have more moves there.
    """

    def count_parts(self, state: S) -> int:
        """How many parts are written, the one that has just ended included."""
        ...

    def is_part_end(self, state: S) -> bool:
        """Whether a part has just ended, and nothing was said behind it."""
        ...

    def needs(self, state: S) -> tuple[NodeId, ...]:
        """The nodes whose relationships have to be read before all can be said that goes on from a
        part's end."""
        ...

    def extended(self, delta: Any) -> Self:
        """The language with what has been read since."""
        ...

    def reserve_ending(self) -> tuple[int, int]:
        """An upper bound on what ends a sentence at a part's end: its bytes, and its segments."""
        ...
