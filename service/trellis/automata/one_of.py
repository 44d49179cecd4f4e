"""One of a few texts: the language of a model that judges rather than writes.

Scores are renormalised over the language, so each text's score is its probability among them.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence

from trellis.automata.language import MoveId, Moves


class OneOf:
    """Sentences of one move: each of some distinct, non-empty texts. A sentence's value is its
    text."""

    def __init__(self, texts: Sequence[str]) -> None:
        self.texts = tuple(texts)

    def is_empty(self) -> bool:
        """Whether there is no sentence."""
        return not self.texts

    def start(self) -> str:
        return ""

    def site(self, state: str) -> Hashable:
        return ("one of", *self._remaining_texts(state))

    def moves(self, state: str) -> Moves:
        return Moves(self._remaining_texts(state))

    def list_excluded_moves(self, state: str) -> Collection[MoveId]:  # noqa: ARG002
        return ()

    def follow(self, state: str, move: MoveId) -> str | None:
        return self._remaining_texts(state)[move]

    def accepting(self, state: str) -> bool:
        return bool(state)

    def values(self, state: str) -> tuple[str, ...]:
        return (state,)

    def text(self, state: str) -> str:
        return state

    def reserve(self, state: str) -> tuple[int, int]:  # noqa: ARG002
        return 0, 0

    def _remaining_texts(self, state: str) -> tuple[str, ...]:
        return () if state else self.texts
