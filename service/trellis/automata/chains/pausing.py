"""A growing language whose sentences stop at the end of a part, where the language may grow."""

from __future__ import annotations

from collections.abc import Collection, Hashable
from typing import Generic

from trellis.automata.chains.growing import GrowingLanguage
from trellis.automata.language import FreeText, FreeTextLanguage, MoveId, Moves, S, V

_NOTHING = Moves(())


class PausingLanguage(Generic[S, V]):
    """The sentences of a language of at most `parts` parts, whole or begun.

    A begun one is followed by nothing. Its states are those of the language itself.
    """

    def __init__(self, language: GrowingLanguage[S, V], parts: int) -> None:
        self.language = language
        self.parts = parts

    def start(self) -> S:
        return self.language.start()

    def site(self, state: S) -> Hashable:
        return "pause" if self._pauses(state) else self.language.site(state)

    def moves(self, state: S) -> Moves | FreeText:
        return _NOTHING if self._pauses(state) else self.language.moves(state)

    def list_excluded_moves(self, state: S) -> Collection[MoveId]:
        return () if self._pauses(state) else self.language.list_excluded_moves(state)

    def follow(self, state: S, move: MoveId) -> S | None:
        return self.language.follow(state, move)

    def accepting(self, state: S) -> bool:
        return self._pauses(state) or self.language.accepting(state)

    def values(self, state: S) -> tuple[V, ...]:
        return self.language.values(state)

    def text(self, state: S) -> str:
        return self.language.text(state)

    def reserve(self, state: S) -> tuple[int, int]:
        return self.language.reserve(state)

    def _pauses(self, state: S) -> bool:
        counted = self.language.count_parts(state)
        return counted >= self.parts and self.language.is_part_end(state)


class PausingFreeTextLanguage(PausingLanguage[S, V]):
    """The same of a language with free sites."""

    def follow_text(self, state: S, text: str) -> S | None:
        assert isinstance(self.language, FreeTextLanguage), "only such a language has free sites"
        following: S | None = self.language.follow_text(state, text)
        return following


def pause_after(language: GrowingLanguage[S, V], parts: int) -> PausingLanguage[S, V]:
    """The language with sentences that stop after `parts` parts."""
    is_free = isinstance(language, FreeTextLanguage)
    return (PausingFreeTextLanguage if is_free else PausingLanguage)(language, parts)
