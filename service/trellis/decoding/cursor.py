"""A sentence being written: the automaton's state, the tokens so far, and their score."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trellis.automata.tokens.automaton import TokenAutomaton
from trellis.automata.tokens.endings import Configuration
from trellis.automata.tokens.vocabulary import Tokens
from trellis.domain.errors import InputError
from trellis.domain.models.decoding import Sentence, Support

END = -1
"""The choice to end the sentence, among the tokens that a cursor offers."""

Automaton = TokenAutomaton[Any, Any]


@dataclass(frozen=True)
class Cursor:
    """One unfinished sentence.

    `budget`: the tokens that are left. `score`: the log-probability of `tokens`, renormalised over
    what was allowed at each. `choices`: at how many tokens there was more than one option.
    `support`: how much of the model's probability was allowed at these.
    """

    automaton: Automaton
    state: Configuration[Any]
    budget: int
    tokens: Tokens = ()
    score: float = 0.0
    choices: int = 0
    support: Support = Support()  # noqa: RUF009  frozen

    @property
    def accepting(self) -> bool:
        """Whether the sentence may end here."""
        return self.automaton.accepting(self.state)

    @property
    def is_ended(self) -> bool:
        """Whether the sentence can only end here, which needs no model."""
        return self.accepting and not len(self.automaton.allowed_tokens(self.state))

    @property
    def ending_loss(self) -> float:
        """What the sentence loses of its score if it ends here."""
        return self.automaton.measure_ending_loss(self.state)

    def find_options(self) -> NDArray[np.int32]:
        """The tokens that may come next, with `END` first where the sentence may end here.

        A token is among them only if the sentence can still end within the budget after it.
        """
        tokens = self.automaton.allowed_within(self.state, self.budget)
        if not self.accepting:
            return tokens
        return np.concatenate(([END], tokens)).astype(np.int32)

    def advance(self, token: int, score: float, is_choice: bool, share: float = 0.0) -> Cursor:
        """The cursor after one more token and the tokens that are forced behind it.

        `score`: that of the sentence with the token. `is_choice`: whether there was another option.
        `share`: the log of the share of probability that all options had.
        """
        state = self.automaton.advance(self.state, token)
        assert state is not None, "a token that was offered is accepted"
        run, state = self.automaton.forced(state)
        tokens = (*self.tokens, token, *run)
        budget = self.budget - 1 - len(run)
        return Cursor(
            self.automaton,
            state,
            budget,
            tokens,
            score,
            self.choices + is_choice,
            self.add_support(is_choice, share),
        )

    def add_support(self, is_choice: bool, share: float) -> Support:
        """The support with the next token; forced tokens refuse nothing."""
        return self.support.add_choice(share, len(self.tokens)) if is_choice else self.support

    def finish_sentence(self, score: float, is_choice: bool, share: float = 0.0) -> Sentence:
        """The sentence that ends here."""
        return Sentence(
            text=(self.automaton.text(self.state) or "").strip(),
            tokens=self.tokens,
            values=self.automaton.values(self.state),
            score=score,
            choices=self.choices + is_choice,
            support=self.add_support(is_choice, share),
        )


def reopen_cursor(automaton: Automaton, begun: Sentence, budget: int) -> Cursor | None:
    """The cursor behind a sentence that was begun, and behind the tokens forced then.

    None where it cannot end within the budget. Raises InputError where the language does not begin
    so.
    """
    state: Configuration[Any] | None = automaton.start()
    for token in begun.tokens:
        state = automaton.advance(state, token)
    if state is None:
        raise InputError("what was begun is not in the language", "go on in the same language")
    left = budget - len(begun.tokens)
    if not (automaton.accepting(state) or len(automaton.allowed_within(state, left))):
        return None
    run, state = automaton.forced(state)
    tokens = (*begun.tokens, *run)
    support = begun.support or Support()
    return Cursor(automaton, state, left - len(run), tokens, begun.score, begun.choices, support)


def open_cursor(automaton: Automaton, budget: int) -> Cursor | None:
    """The cursor at the start of a sentence, behind its forced tokens; None for an empty language.

    Raises InputError where not even the shortest sentence fits the budget.
    """
    state = automaton.start()
    if not len(automaton.allowed_tokens(state)):
        return None
    if not len(automaton.allowed_within(state, budget)):
        raise InputError(f"no sentence of this language fits {budget} tokens", "allow more tokens")
    run, state = automaton.forced(state)
    return Cursor(automaton, state, budget - len(run), run)
