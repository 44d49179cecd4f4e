"""The contract of a language: what may be said next, over moves of text."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

S = TypeVar("S", bound=Hashable)
V = TypeVar("V", covariant=True)

MoveId = int
"""The index of a move among its site's moves."""


@dataclass(frozen=True, eq=False)
class Moves:
    """The moves of one site, in order: texts that differ from one another.

    `lead` is said before each of them. Lead and text are segments: each is encoded alone, and
    together they are never empty.
    """

    texts: Sequence[str]
    lead: str = ""

    def __len__(self) -> int:
        return len(self.texts)

    def said(self, move: MoveId) -> str:
        """All that a move says."""
        return self.lead + self.texts[move]


class Language(Protocol[S, V]):
    """What may be said next. A sentence is a sequence of moves that ends in an accepting state.

    States with one `site` offer the same moves, in whatever language: a site says all texts of its
    moves, or a digest of them. `excluded` names those moves that this state does not have, and
    `follow` gives None exactly for these. From every state that `follow` gives an accepting one
    can be reached: there is no dead end.
    """

    def start(self) -> S: ...

    def site(self, state: S) -> Hashable: ...

    def moves(self, state: S) -> Moves: ...

    def excluded(self, state: S) -> Collection[MoveId]: ...

    def follow(self, state: S, move: MoveId) -> S | None: ...

    def accepting(self, state: S) -> bool: ...

    def values(self, state: S) -> tuple[V, ...]: ...

    def text(self, state: S) -> str:
        """All that was said to come here: the moves' texts, one after the other."""
        ...

    def reserve(self, state: S) -> tuple[int, int]:
        """Behind every move of `state` a sentence can end with at most so many (bytes, segments)
        more; bytes in UTF-8."""
        ...
