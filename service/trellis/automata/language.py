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
    """The moves of one site, in order: distinct texts.

    `lead` stands before each of them in the sentence. Lead and text are segments: each is encoded
    alone, and together they are never empty.
    """

    texts: Sequence[str]
    lead: str = ""

    def __len__(self) -> int:
        return len(self.texts)

    def text_of(self, move: MoveId) -> str:
        """The whole text of a move, its lead included."""
        return self.lead + self.texts[move]


class Language(Protocol[S, V]):
    """What may be said next. A sentence is a sequence of moves that ends in an accepting state.

    States with equal sites offer the same moves, even across languages, so a site contains all
    texts of its moves, or a digest of them. `list_excluded_moves` gives the moves of its site that
    a state lacks, and `follow` gives None for exactly these. There is no dead end: from every state
    that `follow` gives, an accepting state can be reached.
    """

    def start(self) -> S: ...

    def site(self, state: S) -> Hashable: ...

    def moves(self, state: S) -> Moves: ...

    def list_excluded_moves(self, state: S) -> Collection[MoveId]: ...

    def follow(self, state: S, move: MoveId) -> S | None: ...

    def accepting(self, state: S) -> bool: ...

    def values(self, state: S) -> tuple[V, ...]: ...

    def text(self, state: S) -> str:
        """The sentence so far: the texts of all moves that led here, joined."""
        ...

    def reserve(self, state: S) -> tuple[int, int]:
        """An upper bound on what the shortest ending needs behind any move of `state`: its bytes in
        UTF-8, and its segments."""
        ...
