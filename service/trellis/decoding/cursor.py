"""A sentence being written: the automaton's state, what was said, and what it cost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trellis.automata.automaton import Configuration, TokenAutomaton
from trellis.automata.vocabulary import Tokens
from trellis.domain.decoding import Sentence
from trellis.domain.errors import InputError

END = -1
"""The choice to end the sentence, among the tokens that a cursor offers."""

Automaton = TokenAutomaton[Any, Any]


@dataclass(frozen=True)
class Cursor:
    """One live sentence. `score`: log-probability renormalised over what was allowed."""

    automaton: Automaton
    state: Configuration[Any]
    budget: int
    tokens: Tokens = ()
    score: float = 0.0
    choices: int = 0

    @property
    def accepting(self) -> bool:
        """Whether the sentence may end here."""
        return self.automaton.accepting(self.state)

    @property
    def ended(self) -> bool:
        """Whether nothing is left but to end: that needs no model."""
        return self.accepting and not len(self.automaton.allowed(self.state))

    def options(self) -> NDArray[np.int32]:
        """The tokens offered next, `END` first where the sentence may end here.

        A token is offered only if its sentence can still end within the budget.
        """
        tokens = self.automaton.within(self.state, self.budget)
        if not self.accepting:
            return tokens
        return np.concatenate(([END], tokens)).astype(np.int32)

    def said(self, token: int, score: float, choice: bool) -> Cursor:
        """The cursor after one more token, and all that is forced behind it."""
        state = self.automaton.advance(self.state, token)
        assert state is not None, "a token that was offered is accepted"
        run, state = self.automaton.forced(state)
        tokens = (*self.tokens, token, *run)
        budget = self.budget - 1 - len(run)
        return Cursor(self.automaton, state, budget, tokens, score, self.choices + choice)

    def finished(self, score: float, choice: bool) -> Sentence:
        """The sentence that ends here."""
        return Sentence(
            text=(self.automaton.text(self.state) or "").strip(),
            tokens=self.tokens,
            values=self.automaton.values(self.state),
            score=score,
            choices=self.choices + choice,
        )


def opened(automaton: Automaton, budget: int) -> Cursor | None:
    """The cursor at the start of a sentence, forced tokens taken; None: nothing can be said.

    Raises InputError where not even the shortest sentence fits the budget.
    """
    state = automaton.start()
    if not len(automaton.allowed(state)):
        return None
    if not len(automaton.within(state, budget)):
        raise InputError(f"no sentence of this language fits {budget} tokens", "allow more tokens")
    run, state = automaton.forced(state)
    return Cursor(automaton, state, budget - len(run), run)
