"""Searches for several prompts at once, side by side in the rows of one scorer.

A search knows nothing of the others: each prompt gets what it would get alone. Nor does it know
what runs the model: it says what lives, is told what each may say next, and takes a choice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from trellis.automata.vocabulary import Tokens
from trellis.decoding.beam import BeamSearch
from trellis.decoding.cursor import Automaton, opened
from trellis.decoding.hypotheses import Beam, Ending, Offers, offered
from trellis.decoding.rollout import Rollout
from trellis.decoding.scorer import Logits, Scorer
from trellis.decoding.stochastic import StochasticBeamSearch
from trellis.domain.decoding import Search, Sentence


class Hunt(Protocol):
    """The search for one prompt; it is over when nothing lives."""

    @property
    def live(self) -> list[Beam]:
        """The beams that want the model's word, in the order of their rows."""
        ...

    @property
    def ended(self) -> list[Ending]:
        """The sentences that have ended so far; later ones may still outrank them."""
        ...

    def step(self, offers: Offers) -> None:
        """Take one choice with every live beam; the offers are theirs, in order."""
        ...

    def found(self) -> list[Sentence]:
        """The sentences, best first."""
        ...


@dataclass(frozen=True, slots=True)
class Settled:
    """A search with nothing to choose: no sentence, or one."""

    ended: list[Ending]

    @property
    def live(self) -> list[Beam]:
        return []

    def step(self, offers: Offers) -> None:
        raise AssertionError(f"nothing lives, but {len(offers.tokens)} choices are offered")

    def found(self) -> list[Sentence]:
        return [ending.sentence() for ending in self.ended]


def hunt(search: Search, prompt: Tokens, automaton: Automaton) -> Hunt:
    """The search for one prompt, at its start: one live beam, or none.

    Chance depends on seed and prompt only, not on what else is asked at the time. Raises
    InputError where not even the language's shortest sentence fits `search.max_tokens`.
    """
    cursor = opened(automaton, search.max_tokens)
    if cursor is None:
        return Settled([])
    if cursor.ended:
        return Settled([Ending(cursor, 0.0)])
    first = Beam(cursor, 0, cursor.tokens)
    if search.mode == "beam":
        return BeamSearch(search, first)
    random = np.random.default_rng((search.seed, *prompt))
    if search.mode == "stochastic_beam":
        return StochasticBeamSearch(search, first, random)
    return Rollout(search, first, random)


def decode(
    scorer: Scorer, prompts: Sequence[Tokens], automata: Sequence[Automaton], search: Search
) -> list[list[Sentence]]:
    """For each prompt up to `search.width` sentences of its automaton, best first.

    Raises InputError where not even a language's shortest sentence fits `search.max_tokens`.
    """
    pairs = list(zip(prompts, automata, strict=True))
    hunts = [hunt(search, prompt, automaton) for prompt, automaton in pairs]
    begun = [(tokens, one) for tokens, one in zip(prompts, hunts, strict=True) if one.live]
    if begun:
        logits = scorer.begin([tokens + one.live[0].fresh for tokens, one in begun])
        _run([one for _, one in begun], scorer, logits, search.temperature)
    return [one.found() for one in hunts]


def _run(hunts: list[Hunt], scorer: Scorer, logits: Logits, temperature: float) -> None:
    sizes = [1] * len(hunts)
    while True:
        parents: list[int] = []
        fresh: list[Tokens] = []
        first = 0
        for one, size in zip(hunts, sizes, strict=True):
            cursors = [beam.cursor for beam in one.live]
            one.step(offered(cursors, logits[first : first + size], temperature))
            parents += [first + beam.parent for beam in one.live]
            fresh += [beam.fresh for beam in one.live]
            first += size
        if not parents:
            return
        hunts = [one for one in hunts if one.live]
        sizes = [len(one.live) for one in hunts]
        logits = scorer.extend(parents, fresh)
