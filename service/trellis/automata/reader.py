"""Reading a text that was written without masks: its values, or where it left the language.

The language is joined to code points by the same token automaton that masks a model, so a text
reads if and only if it is a sentence. White space around it does not count: a text means what the
sentences mean that differ from it in nothing else, and if it is one itself, that one alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Generic

from trellis.automata.automaton import Configuration, TokenAutomaton
from trellis.automata.characters import Characters
from trellis.automata.language import Language, S, V
from trellis.automata.nearest import nearest

END = "the end of the sentence"
"""Stands among what could have been said where the sentence may end."""

_BLANKS = 100
"""So many states are looked at, at most, for white space that a text left out."""

States = tuple[Configuration[S], ...]


@dataclass(frozen=True, slots=True)
class Reading(Generic[V]):
    """A text that is a sentence: as the language says it, and all that it can mean."""

    text: str
    values: tuple[V, ...]


@dataclass(frozen=True, slots=True)
class Departure:
    """A text that leaves the language, or stops before a sentence may end.

    `said`, the part that was fine, ends at offset `at` of the text; the move that failed began at
    `since`. Each of `instead` is a whole move that could have been said from `since` on (or the
    rest of one, where a text has several readings), nearest to what was written first; `END` where
    the sentence may end there.
    """

    at: int
    said: str
    since: int
    instead: tuple[str, ...]


class Reader(Generic[S, V]):
    """Reads texts in one language; what it needs of a site is built once. Not for several threads
    at once. `choices` bounds what a departure lists."""

    def __init__(self, language: Language[S, V], choices: int = 5) -> None:
        self._language = language
        self._automaton = TokenAutomaton(language, Characters())
        self._choices = choices

    def read(self, text: str) -> Reading[V] | Departure:
        """What a text means in the language, or where it leaves it."""
        exact, at = self._advanced((self._automaton.start(),), text)
        if at == len(text) and self._automaton.accepting(exact[0]):
            return self._reading(exact)
        return self._lenient(text)

    def _lenient(self, text: str) -> Reading[V] | Departure:
        body = text.strip()
        states, at = self._advanced(self._blanks((self._automaton.start(),)), body)
        ends = self._blanks(states) if at == len(body) else ()
        accepting = tuple(state for state in ends if self._automaton.accepting(state))
        if accepting:
            return self._reading(accepting)
        return self._departure(states, body, at, len(text) - len(text.lstrip()))

    def _advanced(self, states: States[S], text: str) -> tuple[States[S], int]:
        """The states behind as much of a text as they accept, and how much that is."""
        for at, character in enumerate(text):
            after = (self._automaton.advance(state, ord(character)) for state in states)
            accepted = tuple(state for state in after if state is not None)
            if not accepted:
                return states, at
            states = accepted
        return states, len(text)

    def _blanks(self, states: States[S]) -> States[S]:
        """The states, and those that white space leads to from them."""
        found, pending = dict.fromkeys(states), list(states)
        while pending and len(found) < _BLANKS:
            state = pending.pop()
            for token in self._automaton.allowed(state).tolist():
                after = self._automaton.advance(state, token) if chr(token).isspace() else None
                if after is not None and after not in found:
                    found[after] = None
                    pending.append(after)
        return tuple(found)

    def _reading(self, states: States[S]) -> Reading[V]:
        values = dict.fromkeys(v for state in states for v in self._automaton.values(state))
        return Reading(self._automaton.text(states[0]) or "", tuple(values))

    def _departure(self, states: States[S], body: str, at: int, blank: int) -> Departure:
        """`blank`: how much white space the text has before its `body`."""
        begun = list(dict.fromkeys(self._begun(states, at)))
        since = min((start for _, start in begun), default=at)
        found = [option for s, start in begun for option in self._options(s, body, since, start)]
        ends = any(start == since and self._language.accepting(s) for s, start in begun)
        best = nearest(found, body[since:], self._choices - ends)
        instead = (*(found[i] for i in best), *((END,) if ends else ()))
        return Departure(blank + at, body[:at], blank + since, tuple(dict.fromkeys(instead)))

    def _begun(self, states: States[S], at: int) -> Iterator[tuple[S, int]]:
        """The language states that the text is at or on its way from, and where it came there."""
        for state in states:
            for s, (_, _, depth) in state:
                yield s, max(0, at - depth)

    def _options(self, s: S, body: str, since: int, start: int) -> list[str]:
        """What could be said from `since` on: the nearest moves that a state has at `start`."""
        moves = self._language.moves(s)
        gone = set(self._language.excluded(s))
        said = [moves.said(move) for move in range(len(moves)) if move not in gone]
        best = nearest(said, body[start:], self._choices)
        ended = [body[since:start]] if start > since and self._language.accepting(s) else []
        return [*(body[since:start] + said[i] for i in best), *ended]


def read(language: Language[Any, V], text: str) -> Reading[V] | Departure:
    """What one text means in a language, or where it leaves it; many: use one `Reader`."""
    return Reader(language).read(text)
