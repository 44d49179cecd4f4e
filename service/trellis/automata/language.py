"""The contract of a language: what may be said next, over moves of text."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

S = TypeVar("S")
V = TypeVar("V", covariant=True)

MoveId = int
"""The index of a move among its site's moves."""


@dataclass(frozen=True, eq=False)
class Moves:
    """The moves of one site, in order. Texts differ from one another and none is empty."""

    texts: Sequence[str]

    def __len__(self) -> int:
        return len(self.texts)


class Language(Protocol[S, V]):
    """What may be said next. States are hashable values; a sentence is a sequence of moves.

    States with one `site` offer the same moves; `excluded` names those of them that this state
    does not have, and `follow` gives None exactly for these. From every state that `follow`
    gives, an accepting one can be reached.
    """

    def start(self) -> S: ...

    def site(self, state: S) -> Hashable: ...

    def moves(self, state: S) -> Moves: ...

    def excluded(self, state: S) -> Collection[MoveId]: ...

    def follow(self, state: S, move: MoveId) -> S | None: ...

    def accepting(self, state: S) -> bool: ...

    def values(self, state: S) -> tuple[V, ...]: ...
