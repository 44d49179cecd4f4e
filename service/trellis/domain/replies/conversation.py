"""Values of a conversation: earlier turns, and what a follow-up question is made into."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from trellis.domain.errors import HistoryError

MOST_TURNS = 50
"""The most turns that a history may have."""

LONGEST_HISTORY = 100_000
"""The most characters of all turns together."""


@dataclass(frozen=True, slots=True)
class Turn:
    """An earlier question and what is known of its answer.

    `answers`: the names that answered it, empty where nothing did; None where that is not known.
    `topics`: names that were given with the question. `reading`: how it was understood.
    """

    question: str
    answers: tuple[str, ...] | None = None
    topics: tuple[str, ...] = ()
    reading: str = ""

    @property
    def length(self) -> int:
        """Its characters."""
        texts = (self.question, self.reading, *self.topics, *(self.answers or ()))
        return sum(map(len, texts))


@dataclass(frozen=True, slots=True)
class WholeQuestion:
    """What a question asks when it is read after earlier ones.

    `text`: the question in words that need no earlier ones; the question itself where it is no
    follow-up. `problem`: why it cannot be told what the question refers to. `options`: the whole
    questions that it may be then, one for each thing that may be meant.
    """

    text: str
    problem: str = ""
    options: tuple[str, ...] = ()


def check_history(turns: Sequence[Turn]) -> None:
    """HistoryError where there are too many turns, or their texts are too long."""
    if len(turns) > MOST_TURNS:
        raise HistoryError(
            f"the history has {len(turns):,} turns, {MOST_TURNS} are allowed",
            "send the last turns only",
        )
    length = sum(turn.length for turn in turns)
    if length > LONGEST_HISTORY:
        raise HistoryError(
            f"the history has {length:,} characters, {LONGEST_HISTORY:,} are allowed",
            "send the last turns only, and of long answers the first names",
        )
