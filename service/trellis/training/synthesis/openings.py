"""Which words of a question say what is asked for, found by counting what begins alike.

Where `How many crimes | were in v0` and `How many crimes | involve v0` begin alike and their
queries do, too, what stands before the bar may be said with the conditions of other questions.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from trellis.automata.cypher.state import TypedMove
from trellis.training.synthesis.noun_phrases import Moves, Whole, Words

_OPENING = range(2, 9)  # words
_SHARED = 3  # different conditions that an opening has to be seen with
_TELLING = 0.9  # share of the questions with an opening that ask for the same


@dataclass(frozen=True, slots=True)
class Parts:
    """A question and its query cut behind the opening: words and moves before and behind it."""

    opening: Words
    rest: Words
    head: Moves
    body: Moves

    @property
    def label(self) -> TypedMove:
        return self.head[1]

    @property
    def noun(self) -> str:
        return self.opening[-1]

    @property
    def whole(self) -> Whole:
        return (*self.opening, *self.rest), (*self.head, *self.body)

    def cut_again(self, whole: Whole) -> Parts:
        """A question with the same opening, cut behind it."""
        return cut_question(whole, len(self.opening), len(self.head))


def cut_question(whole: Whole, count: int, at: int) -> Parts:
    """A question cut behind `count` words, its query behind `at` moves."""
    words, moves = whole
    return Parts(words[:count], words[count:], moves[:at], moves[at:])


def find_openings(read: Sequence[Whole], head: Callable[[Moves], int]) -> Iterator[Parts | None]:
    """Examples cut behind the longest beginning that several with the same head share, and that
    hardly any with another head has: `Which crime` may be one that `… happened first`."""
    shared: dict[tuple[Moves, Words], set[TypedMove]] = defaultdict(set)
    heads: dict[Words, Counter[Moves]] = defaultdict(Counter)
    for words, moves in read:
        at = head(moves)
        for count in _OPENING:
            shared[moves[:at], words[:count]].update(moves[at : at + 1])
            heads[words[:count]][moves[:at]] += 1
    for words, moves in read:
        at = head(moves)
        fitting = (
            n
            for n in reversed(_OPENING)
            if len(shared[moves[:at], words[:n]]) >= _SHARED
            and heads[words[:n]][moves[:at]] >= _TELLING * heads[words[:n]].total()
        )
        count = next(fitting, 0)
        found = 0 < count < len(words)
        yield cut_question((words, moves), count, at) if found else None
