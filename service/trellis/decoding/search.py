"""Searches for several prompts at once, side by side in the rows of one scorer.

Searches are independent: each prompt gets the result that it would get alone. A search does not
know what runs the model: it gives its live beams, receives the scored options of each, and chooses.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from trellis.automata.tokens.vocabulary import Tokens
from trellis.decoding.beam import BeamSearch
from trellis.decoding.cursor import Automaton, open_cursor, reopen_cursor
from trellis.decoding.hypotheses import Beam, Ending, Offers, score_options
from trellis.decoding.rollout import Rollout
from trellis.decoding.scorer import Scorer
from trellis.decoding.stochastic import StochasticBeamSearch
from trellis.domain.errors import InputError
from trellis.domain.models.decoding import Search, Sentence


class PromptSearch(Protocol):
    """The search for one prompt; it is over when it has no live beam."""

    @property
    def live_beams(self) -> list[Beam]:
        """The beams that need scores from the model, in the order of their rows."""
        ...

    @property
    def endings(self) -> list[Ending]:
        """The sentences that have ended so far; later ones may still outrank them."""
        ...

    def step(self, offers: Offers) -> None:
        """Make one choice with every live beam; `offers`: those of the live beams, in order."""
        ...

    def list_sentences(self) -> list[Sentence]:
        """The sentences, best first."""
        ...


@dataclass(frozen=True, slots=True)
class FinishedSearch:
    """A search that was over at its start: the language has no sentence, or only one."""

    endings: list[Ending]

    @property
    def live_beams(self) -> list[Beam]:
        return []

    def step(self, offers: Offers) -> None:
        raise AssertionError(f"nothing lives, but {len(offers.tokens)} choices are offered")

    def list_sentences(self) -> list[Sentence]:
        return [ending.finish_sentence() for ending in self.endings]


def start_search(search: Search, prompt: Tokens, automaton: Automaton) -> PromptSearch:
    """The search for one prompt, at its start: with one live beam, or none.

    Random choices depend on seed and prompt alone, not on the other prompts of a batch. Raises
    InputError where not even the language's shortest sentence fits `search.max_tokens`.
    """
    cursor = open_cursor(automaton, search.max_tokens)
    if cursor is None:
        return FinishedSearch([])
    if cursor.is_ended:
        return FinishedSearch([Ending(cursor, 0.0)])
    first = Beam(cursor, 0, cursor.tokens)
    if search.mode == "beam":
        return BeamSearch(search, [first])
    random = np.random.default_rng((search.seed, *prompt))
    if search.mode == "stochastic_beam":
        return StochasticBeamSearch(search, first, random)
    return Rollout(search, first, random)


def continue_search(
    search: Search, automaton: Automaton, begun: Sequence[Sentence]
) -> PromptSearch:
    """The beam search for what goes on from sentences that were begun; where there is none, from
    the start.

    Raises InputError where no sentence fits `search.max_tokens`, and for modes that are no beam
    search.
    """
    if search.mode != "beam" or search.diversity:
        raise InputError(
            f"mode {search.mode} of diversity {search.diversity:g} does not go on from a part",
            "search by plain beams",
        )
    if not begun:
        return start_search(search, (), automaton)
    reopened = (reopen_cursor(automaton, each, search.max_tokens) for each in begun)
    cursors = [cursor for cursor in reopened if cursor is not None]
    ended = [Ending(cursor, cursor.score) for cursor in cursors if cursor.is_ended]
    going = [cursor for cursor in cursors if not cursor.is_ended]
    beams = [Beam(cursor, row, cursor.tokens) for row, cursor in enumerate(going)]
    return BeamSearch(search, beams, ended) if beams else FinishedSearch(ended)


def decode(
    scorer: Scorer, prompts: Sequence[Tokens], automata: Sequence[Automaton], search: Search
) -> list[list[Sentence]]:
    """For each prompt up to `search.width` sentences of its automaton, best first.

    Raises InputError where not even a language's shortest sentence fits `search.max_tokens`.
    """
    pairs = list(zip(prompts, automata, strict=True))
    searches = [start_search(search, prompt, automaton) for prompt, automaton in pairs]
    _begin_searches(scorer, prompts, searches, search.temperature)
    return [each.list_sentences() for each in searches]


def extend_sentences(
    scorer: Scorer, prompt: Tokens, automaton: Automaton, begun: Sequence[Sentence], search: Search
) -> list[Sentence]:
    """Up to `search.width` sentences that go on from those that were begun, best first; where none
    was, as `decode`."""
    running = continue_search(search, automaton, begun)
    _begin_searches(scorer, [prompt], [running], search.temperature)
    return running.list_sentences()


def _begin_searches(
    scorer: Scorer, prompts: Sequence[Tokens], searches: Sequence[PromptSearch], temperature: float
) -> None:
    """Run the searches to their ends, each behind its prompt."""
    live = [running for running in searches if running.live_beams]
    rows = [
        prompt + beam.new_tokens
        for prompt, running in zip(prompts, searches, strict=True)
        for beam in running.live_beams
    ]
    if rows:
        scorer.begin(rows)
        _run_searches(live, scorer, temperature)


def _run_searches(searches: list[PromptSearch], scorer: Scorer, temperature: float) -> None:
    sizes = [len(running.live_beams) for running in searches]
    while True:
        parents: list[int] = []
        fresh: list[Tokens] = []
        first = 0
        for running, size in zip(searches, sizes, strict=True):
            cursors = [beam.cursor for beam in running.live_beams]
            running.step(score_options(cursors, scorer, first, temperature))
            parents += [first + beam.parent for beam in running.live_beams]
            fresh += [beam.new_tokens for beam in running.live_beams]
            first += size
        if not parents:
            return
        searches = [running for running in searches if running.live_beams]
        sizes = [len(running.live_beams) for running in searches]
        scorer.extend(parents, fresh)
