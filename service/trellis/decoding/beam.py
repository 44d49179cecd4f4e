"""Beam search inside languages, for several prompts at once.

Beams of one prompt hold different sentences, as a sentence has one spelling. A search ends when
no live beam can still come among the best `width` finished ones: not at the first `width` ends.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from trellis.automata.vocabulary import Tokens
from trellis.decoding.cursor import END, Automaton, Cursor, log_probabilities, opened
from trellis.decoding.scorer import Logits, Scorer
from trellis.domain.ports import Search, Sentence


@dataclass(frozen=True)
class Beam:
    """A live cursor and the scorer's row that has read all but its last `pending` tokens."""

    cursor: Cursor
    row: int
    pending: Tokens


@dataclass
class Hunt:
    """The search for one prompt: its live beams and its finished sentences."""

    search: Search
    live: list[Beam] = field(default_factory=list)
    finished: list[Sentence] = field(default_factory=list)

    def rank(self, score: float, choices: int) -> float:
        """What sentences are ordered by: score, normalised by choices where asked for."""
        return score / float(max(choices, 1) ** self.search.length_penalty)

    def step(self, logits: Logits) -> None:
        """Take one step with every live beam; `logits` has the scorer's rows."""
        offers = [offer for beam in self.live for offer in self._offers(beam, logits)]
        offers.sort(key=lambda offer: -offer[0])
        taken = [self._taken(*offer) for offer in offers[: self.search.width]]
        self.live = [beam for beam in taken if not beam.cursor.ended]
        self.finished += [b.cursor.finished(b.cursor.score, False) for b in taken if b.cursor.ended]
        self.finished.sort(key=lambda s: -self.rank(s.score, s.choices))
        del self.finished[self.search.width :]
        self.live = [beam for beam in self.live if self._hopeful(beam)]

    def _offers(self, beam: Beam, logits: Logits) -> list[tuple[float, Beam, int, bool]]:
        """The best continuations of a beam; if it may end here, that goes to `finished`."""
        cursor = beam.cursor
        options = cursor.options()
        gains = log_probabilities(cursor, options, logits[beam.row], self.search.temperature)
        choice = len(options) > 1
        if options[0] == END:
            self.finished.append(cursor.finished(cursor.score + float(gains[0]), choice))
            options, gains = options[1:], gains[1:]
        best = np.argsort(-gains, kind="stable")[: self.search.width]
        return [(cursor.score + float(gains[i]), beam, int(options[i]), choice) for i in best]

    def _taken(self, score: float, beam: Beam, token: int, choice: bool) -> Beam:
        cursor = beam.cursor.said(token, score, choice)
        return Beam(cursor, beam.row, cursor.tokens[len(beam.cursor.tokens) :])

    def _hopeful(self, beam: Beam) -> bool:
        """Whether a beam can still come among the best: its score only falls from here."""
        if len(self.finished) < self.search.width:
            return True
        most_choices = beam.cursor.choices + max(beam.cursor.budget, 0) + 1
        worst = self.finished[-1]
        best_possible = self.rank(beam.cursor.score, most_choices)
        return best_possible > self.rank(worst.score, worst.choices)


def beam_search(
    scorer: Scorer, prompts: Sequence[Tokens], automata: Sequence[Automaton], search: Search
) -> list[list[Sentence]]:
    """For each prompt the best `search.width` sentences of its automaton, best first."""
    hunts = [Hunt(search) for _ in prompts]
    cursors = [opened(automaton, search.max_tokens) for automaton in automata]
    begun = [i for i, cursor in enumerate(cursors) if cursor is not None]
    for row, i in enumerate(begun):
        cursor = cursors[i]
        assert cursor is not None
        hunts[i].live = [Beam(cursor, row, cursor.tokens)]
    if begun:
        logits = scorer.begin([prompts[i] + hunts[i].live[0].pending for i in begun])
        _run([hunts[i] for i in begun], scorer, logits)
    return [hunt.finished for hunt in hunts]


def _run(hunts: Sequence[Hunt], scorer: Scorer, logits: Logits) -> None:
    while True:
        for hunt in hunts:
            hunt.step(logits)
        live = [beam for hunt in hunts for beam in hunt.live]
        if not live:
            return
        logits = scorer.extend([beam.row for beam in live], [beam.pending for beam in live])
        rows = iter(range(len(live)))
        for hunt in hunts:
            hunt.live = [Beam(beam.cursor, next(rows), ()) for beam in hunt.live]
