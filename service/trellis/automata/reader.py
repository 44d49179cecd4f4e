"""Reads a text that was written without masks: gives its values, or where it left the language.

The same token automaton that masks a model joins the language to code points, so a text can be read
if and only if it is a sentence. White space around a text does not count: a text that is no
sentence itself means whatever the sentences mean that differ from it only there.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Generic

from trellis.automata.language import FreeText, Language, S, V
from trellis.automata.nearest import find_nearest_texts
from trellis.automata.tokens.automaton import TokenAutomaton
from trellis.automata.tokens.characters import Characters
from trellis.automata.tokens.endings import Configuration

END = "the end of the sentence"
"""Stands among the alternatives where the sentence may end."""

WORDS = "words of your own"
"""Stands among the alternatives where any text may be said."""

_BLANKS = tuple(point for point in range(0x3001) if chr(point).isspace())
"""The code points of white space."""

_MOST_STATES = 100
"""The most states that are tried for white space that a text left out."""

States = tuple[Configuration[S], ...]


@dataclass(frozen=True, slots=True)
class SentenceReading(Generic[V]):
    """A text that is a sentence: `text` as the language spells it, and all its meanings."""

    text: str
    values: tuple[V, ...]


@dataclass(frozen=True, slots=True)
class Departure:
    """A text that leaves the language, or stops before a sentence may end.

    `accepted` is the accepted part; it ends at offset `at` of the text. The move that failed begins
    at offset `move_start`. `alternatives` lists the moves that the language has there, those
    nearest to what was written first: whole moves, or the rest of one where the text has several
    readings, `WORDS` where any text may be said, and `END` where the sentence may end.
    """

    at: int
    accepted: str
    move_start: int
    alternatives: tuple[str, ...]


class Reader(Generic[S, V]):
    """Reads texts in one language, and builds the trie of each site once.

    `choices`: the most alternatives that a departure lists. Not for several threads at once.
    """

    def __init__(self, language: Language[S, V], choices: int = 5) -> None:
        self._language = language
        self._automaton = TokenAutomaton(language, Characters())
        self._choices = choices

    def read_text(self, text: str) -> SentenceReading[V] | Departure:
        """The meaning of a text in the language, or the place where it leaves the language."""
        exact, at = self._advance_states((self._automaton.start(),), text)
        if at == len(text) and self._automaton.accepting(exact[0]):
            return self._build_reading(exact)
        return self._read_leniently(text)

    def _read_leniently(self, text: str) -> SentenceReading[V] | Departure:
        body = text.strip()
        states, at = self._advance_states(self._follow_blanks((self._automaton.start(),)), body)
        ends = self._follow_blanks(states) if at == len(body) else ()
        accepting = tuple(state for state in ends if self._automaton.accepting(state))
        if accepting:
            return self._build_reading(accepting)
        return self._build_departure(states, body, at, len(text) - len(text.lstrip()))

    def _advance_states(self, states: States[S], text: str) -> tuple[States[S], int]:
        """The states behind the longest prefix of a text that any of them accepts, and its
        length."""
        for at, character in enumerate(text):
            after = (self._automaton.advance(state, ord(character)) for state in states)
            accepted = tuple(state for state in after if state is not None)
            if not accepted:
                return states, at
            states = accepted
        return states, len(text)

    def _follow_blanks(self, states: States[S]) -> States[S]:
        """The states, and all that white space alone leads to from them."""
        reached, pending = dict.fromkeys(states), list(states)
        while pending and len(reached) < _MOST_STATES:
            state = pending.pop()
            for blank in _BLANKS:
                after = self._automaton.advance(state, blank)
                if after is not None and after not in reached:
                    reached[after] = None
                    pending.append(after)
        return tuple(reached)

    def _build_reading(self, states: States[S]) -> SentenceReading[V]:
        values = dict.fromkeys(v for state in states for v in self._automaton.values(state))
        return SentenceReading(self._automaton.text(states[0]) or "", tuple(values))

    def _build_departure(self, states: States[S], body: str, at: int, blank: int) -> Departure:
        """The departure at offset `at` of `body`; `blank`: the white space before the body."""
        begun = list(dict.fromkeys(self._iterate_begun_moves(states, at)))
        since = min((start for _, start in begun), default=at)
        options = [
            option
            for s, start in begun
            for option in self._list_alternatives(s, body, since, start)
        ]
        free = any(start == since and self._is_free(s) for s, start in begun)
        ends = any(start == since and self._language.accepting(s) for s, start in begun)
        best = find_nearest_texts(options, body[since:], self._choices - free - ends)
        instead = (*(options[i] for i in best), *(WORDS,) * free, *(END,) * ends)
        return Departure(blank + at, body[:at], blank + since, tuple(dict.fromkeys(instead)))

    def _iterate_begun_moves(self, states: States[S], at: int) -> Iterator[tuple[S, int]]:
        """The language states that begin the current move, and the offset where each does."""
        for state in states:
            for s, (_, _, depth) in state:
                yield s, max(0, at - depth)

    def _is_free(self, s: S) -> bool:
        return isinstance(self._language.moves(s), FreeText)

    def _list_alternatives(self, s: S, body: str, since: int, start: int) -> list[str]:
        """The alternatives from `since` on: the nearest moves that a state has at `start`."""
        moves = self._language.moves(s)
        if isinstance(moves, FreeText):
            return []
        excluded = set(self._language.list_excluded_moves(s))
        texts = [moves.text_of(move) for move in range(len(moves)) if move not in excluded]
        best = find_nearest_texts(texts, body[start:], self._choices)
        ended = [body[since:start]] if start > since and self._language.accepting(s) else []
        return [*(body[since:start] + texts[i] for i in best), *ended]


def read_text(language: Language[Any, V], text: str) -> SentenceReading[V] | Departure:
    """The meaning of one text in a language, or where it leaves it; for many use one `Reader`."""
    return Reader(language).read_text(text)
