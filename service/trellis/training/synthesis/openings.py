"""Finds the words at the beginning of a question that say what it asks for: its opening.

`How many crimes | were in v0` and `How many crimes | involve v0` begin with the same words, and
their queries with the same moves. So the words before the bar are an opening, which can stand
before the conditions of other questions. Openings are found by counting.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from trellis.automata.cypher.state import TypedMove
from trellis.training.synthesis.whole import Moves, QuestionQueryPair, Words

_OPENING = range(2, 9)  # lengths of openings in words
_SHARED = 3  # different conditions that an opening occurs with at least
_TELLING = 0.9  # share of the questions with an opening that ask for the same, at least


@dataclass(frozen=True, slots=True)
class Parts:
    """A question and its query, each cut in two behind the opening.

    `opening` and `rest`: the words. `head` and `body`: the moves.
    """

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
    def whole(self) -> QuestionQueryPair:
        return (*self.opening, *self.rest), (*self.head, *self.body)

    def cut_again(self, whole: QuestionQueryPair) -> Parts:
        """Another question with this opening, cut behind it."""
        return cut_question(whole, len(self.opening), len(self.head))


def cut_question(whole: QuestionQueryPair, word_count: int, move_count: int) -> Parts:
    """A question cut behind `word_count` words, and its query behind `move_count` moves."""
    words, moves = whole
    return Parts(words[:word_count], words[word_count:], moves[:move_count], moves[move_count:])


def find_openings(
    questions: Sequence[QuestionQueryPair], count_head_moves: Callable[[Moves], int]
) -> Iterator[Parts | None]:
    """Each question cut behind its opening, or None where it has none.

    An opening is the longest beginning that several questions with the same head share, and that
    nearly no question with another head has: `Which crime` is none where `… happened first` may
    follow, which asks for an order. `count_head_moves`: the number of moves of a query's head.
    """
    shared: dict[tuple[Moves, Words], set[TypedMove]] = defaultdict(set)
    heads: dict[Words, Counter[Moves]] = defaultdict(Counter)
    for words, moves in questions:
        end = count_head_moves(moves)
        for length in _OPENING:
            shared[moves[:end], words[:length]].update(moves[end : end + 1])
            heads[words[:length]][moves[:end]] += 1
    for words, moves in questions:
        end = count_head_moves(moves)
        fitting = (
            length
            for length in reversed(_OPENING)
            if len(shared[moves[:end], words[:length]]) >= _SHARED
            and heads[words[:length]][moves[:end]] >= _TELLING * heads[words[:length]].total()
        )
        length = next(fitting, 0)
        is_opened = 0 < length < len(words)
        yield cut_question((words, moves), length, end) if is_opened else None
