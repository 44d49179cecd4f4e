"""Searches for several prompts at once, side by side in the rows of one scorer.

A search knows nothing of the others: each prompt gets what it would get alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from trellis.automata.vocabulary import Tokens
from trellis.decoding.beam import BeamSearch
from trellis.decoding.cursor import Automaton, opened
from trellis.decoding.hypotheses import Beam
from trellis.decoding.rollout import Rollout
from trellis.decoding.scorer import Logits, Scorer
from trellis.decoding.stochastic import StochasticBeamSearch
from trellis.domain.ports import Search, Sentence


class Hunt(Protocol):
    """The search for one prompt."""

    @property
    def live(self) -> list[Beam]:
        """The beams that want the model's word, in the order of their rows."""
        ...

    def step(self, logits: Logits) -> None:
        """Take one choice with every live beam; `logits` has a row for each."""
        ...

    def found(self) -> list[Sentence]:
        """The sentences, best first."""
        ...


def decode(
    scorer: Scorer, prompts: Sequence[Tokens], automata: Sequence[Automaton], search: Search
) -> list[list[Sentence]]:
    """For each prompt up to `search.width` sentences of its automaton, best first.

    Raises InputError where not even a language's shortest sentence fits `search.max_tokens`.
    """
    found: list[list[Sentence]] = [[] for _ in prompts]
    hunts: dict[int, Hunt] = {}
    for i, (prompt, automaton) in enumerate(zip(prompts, automata, strict=True)):
        cursor = opened(automaton, search.max_tokens)
        if cursor is not None and cursor.ended:
            found[i] = [cursor.finished(0.0, False)]
        elif cursor is not None:
            hunts[i] = _hunt(search, prompt, Beam(cursor, 0, cursor.tokens))
    if hunts:
        logits = scorer.begin([prompts[i] + hunt.live[0].fresh for i, hunt in hunts.items()])
        _run(list(hunts.values()), scorer, logits)
    return [hunts[i].found() if i in hunts else said for i, said in enumerate(found)]


def _hunt(search: Search, prompt: Tokens, first: Beam) -> Hunt:
    """Chance depends on seed and prompt only, not on what else is asked at the time."""
    if search.mode == "beam":
        return BeamSearch(search, first)
    random = np.random.default_rng((search.seed, *prompt))
    if search.mode == "stochastic_beam":
        return StochasticBeamSearch(search, first, random)
    return Rollout(search, first, random)


def _run(hunts: list[Hunt], scorer: Scorer, logits: Logits) -> None:
    sizes = [1] * len(hunts)
    while True:
        parents: list[int] = []
        fresh: list[Tokens] = []
        first = 0
        for hunt, size in zip(hunts, sizes, strict=True):
            hunt.step(logits[first : first + size])
            parents += [first + beam.parent for beam in hunt.live]
            fresh += [beam.fresh for beam in hunt.live]
            first += size
        if not parents:
            return
        hunts = [hunt for hunt in hunts if hunt.live]
        sizes = [len(hunt.live) for hunt in hunts]
        logits = scorer.extend(parents, fresh)
