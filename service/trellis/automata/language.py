"""The contract of a language: what may be said next, over moves of text."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar, runtime_checkable

S = TypeVar("S", bound=Hashable)
C = TypeVar("C", bound=Hashable, contravariant=True)
V = TypeVar("V", covariant=True)

SHORTEST_TEXT = 6
"""The bytes of the shortest free text: a character, and the spaces that a tokenizer puts first."""

MoveId = int
"""The index of a move among its site's moves."""

Move = MoveId | str
"""What is said at a site: one of its moves, or a text where the site is free."""


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


@dataclass(frozen=True, slots=True)
class FreeText:
    """A site where any text may be said: words with one space between two of them.

    The text has no character of `stop`, no control character and no white space but those spaces.
    `lead`, a space or nothing, stands before it. A model writes it in at most `max_tokens` tokens;
    unlike a move it has many spellings, of which training takes that of `lead` and text alone.

    A text ends where what follows is said. So what can follow begins with a character of `stop`,
    perhaps after a space; otherwise both readings are kept until the text tells them apart.

    `apart`: the texts after which less can be said than after others. After all others a sentence
    ends equally soon, and after these no sooner.
    """

    max_tokens: int
    stop: frozenset[str] = frozenset()
    lead: str = " "
    apart: frozenset[str] = frozenset()


class Language(Protocol[S, V]):
    """What may be said next. A sentence is a sequence of moves that ends in an accepting state.

    States with equal sites offer the same moves, even across languages, so a site contains all
    texts of its moves, or a digest of them. `list_excluded_moves` gives the moves of its site that
    a state lacks, and `follow` gives None for exactly these. There is no dead end: from every state
    that `follow` gives, an accepting state can be reached.
    """

    def start(self) -> S: ...

    def site(self, state: S) -> Hashable: ...

    def moves(self, state: S) -> Moves | FreeText: ...

    def list_excluded_moves(self, state: S) -> Collection[MoveId]: ...

    def follow(self, state: S, move: MoveId) -> S | None: ...

    def accepting(self, state: S) -> bool: ...

    def values(self, state: S) -> tuple[V, ...]: ...

    def text(self, state: S) -> str:
        """The sentence so far: the texts of all moves that led here, joined."""
        ...

    def reserve(self, state: S) -> tuple[int, int]:
        """An upper bound on what the shortest ending needs behind any move of `state`: its bytes in
        UTF-8, and its segments; a free text needs `SHORTEST_TEXT` bytes and a segment."""
        ...


@runtime_checkable
class TaskLanguage(Protocol):
    """A language that knows all texts of its task, whatever the nodes that it is bound to.

    `alphabet`: the texts of all moves that sentences of the task may have; empty: any text. It is
    against these that `Support` measures what the language refused.
    """

    alphabet: tuple[str, ...]


@runtime_checkable
class WeighedLanguage(Protocol[C]):
    """A language of which some sentences are believed less, whatever a model makes of them."""

    def measure_ending_loss(self, state: C) -> float:
        """What a sentence that ends here loses of its log-probability; 0 or more."""
        ...


@runtime_checkable
class FreeTextLanguage(Language[S, V], Protocol):
    """A language with free sites; these exclude nothing, and their `follow` is never asked."""

    def follow_text(self, state: S, text: str) -> S | None:
        """The state after a text, given without its lead, at a free site."""
        ...
