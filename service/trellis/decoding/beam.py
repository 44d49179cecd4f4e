"""Beam search inside languages, plain and diverse.

A sentence without free text has one spelling, so the beams of one prompt hold different sentences;
of a sentence with free text the best spelling is kept. Forced tokens are taken at once, so all live
beams have made the same number of choices. A sentence that ends joins the finished ones and takes
no beam's place. A search ends when no live beam can still come among the best `width` finished
sentences; more steps would not change its result.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from trellis.decoding.cursor import END
from trellis.decoding.hypotheses import (
    Beam,
    Ending,
    Offers,
    merge_spellings,
    normalise_score,
    sort_best_first,
)
from trellis.domain.models.decoding import Search, Sentence


@dataclass
class BeamGroup:
    """Beams that compete with one another, and the best sentences that they ended in."""

    live: list[Beam] = field(default_factory=list)
    finished: list[Ending] = field(default_factory=list)

    def has_begun(self) -> bool:
        return bool(self.live or self.finished)


class BeamSearch:
    """The search for one prompt. With `diversity`, groups of beams choose one after the other
    (diverse beam search with the Hamming diversity of Vijayakumar et al. 2016, section 4).

    The paper counts time in tokens. Here time is counted in choices, because forced runs differ in
    length and groups could not be compared token by token. At each choice a group pays λ for a
    token as often as earlier groups took it; this affects the choice only, scores stay the model's.
    A group without beams, at the beginning, starts with the best offers that earlier groups left,
    so no two groups hold one sentence. The result is the best sentences of each group; where a
    group has too few, the best that are left in the others take their place.
    """

    def __init__(self, search: Search, first: Sequence[Beam], ended: Sequence[Ending] = ()) -> None:
        """`first`: the beams to begin with; `ended`: sentences that have ended before."""
        self._search = search
        groups = (search.groups or search.width) if search.diversity else 1
        self._share = search.width // groups
        begun = BeamGroup(list(first), list(ended))
        self._groups = [begun, *(BeamGroup() for _ in range(groups - 1))]

    @property
    def live_beams(self) -> list[Beam]:
        return [beam for group in self._groups for beam in group.live]

    @property
    def endings(self) -> list[Ending]:
        return [ending for group in self._groups for ending in group.finished]

    def step(self, offers: Offers) -> None:
        """Make one choice with every live beam; `offers`: those of the live beams, in order."""
        self._end_sentences(offers)
        self._choose_continuations(offers)
        for group in self._groups:
            group.finished = sort_best_first(group.finished, self._search)[: self._search.width]
        self._drop_beams_beyond_margin()
        self._drop_hopeless_beams()

    def list_sentences(self) -> list[Sentence]:
        """The best `width` sentences, best first."""
        best = [ending for group in self._groups for ending in group.finished[: self._share]]
        rest = [ending for group in self._groups for ending in group.finished[self._share :]]
        best = sort_best_first(best, self._search)
        keys = {ending.key for ending in best}
        others = [e for e in sort_best_first(rest, self._search) if e.key not in keys]
        best += others[: self._search.width - len(best)]
        return [ending.finish_sentence() for ending in sort_best_first(best, self._search)]

    def _end_sentences(self, offers: Offers) -> None:
        """Add every sentence that may end to the finished ones of its group."""
        groups = [group for group in self._groups for _ in group.live]
        for at in np.flatnonzero(offers.tokens == END).tolist():
            groups[offers.owners[at]].finished.append(offers.end_sentence(at))

    def _choose_continuations(self, offers: Offers) -> None:
        """Let one group after the other take the continuations that are worth most to it."""
        worth = np.where(offers.tokens == END, -np.inf, offers.scores)
        self._withdraw_hopeless(worth)
        bounds = [*offers.starts.tolist(), len(worth)]
        beams = 0
        for group in self._groups:
            low, high = bounds[beams], bounds[beams + len(group.live)]
            beams += len(group.live)
            if not group.has_begun():
                low, high = 0, len(worth)
            taken = offers.find_best(worth[low:high], self._share, low)
            self._penalise_taken(worth, offers.tokens, taken)
            after = [offers.take_offer(at) for at in taken]
            group.live = merge_spellings([each for each in after if isinstance(each, Beam)])
            group.finished += [each for each in after if isinstance(each, Ending)]

    def _withdraw_hopeless(self, worth: NDArray[np.float64]) -> None:
        """Withdraw the offers that are worth less than all sentences that are needed: their beams
        would be dropped after the step, and to advance a beam costs more than anything else here.

        Only where beams are ordered by scores, and no other group takes what is left.
        """
        if len(self._groups) > 1 or self._search.length_penalty:
            return
        [group] = self._groups
        group.finished = sort_best_first(group.finished, self._search)[: self._search.width]
        if len(group.finished) >= self._share:
            worth[worth < group.finished[self._share - 1].score] = -np.inf

    def _penalise_taken(
        self, worth: NDArray[np.float64], tokens: NDArray[np.int32], taken: list[int]
    ) -> None:
        """Withdraw the offers that a group took, and lower the worth of their tokens for others."""
        if self._search.diversity:
            for at in taken:
                worth[tokens == tokens[at]] -= self._search.diversity
        worth[taken] = -np.inf

    def _drop_hopeless_beams(self) -> None:
        """Drop the live beams that can no longer change the result.

        In a single group beams are chosen by score, so a hopeless beam keeps out only hopeless
        ones. With several groups a group is dropped as a whole, and only after all groups behind
        it, as it influences their choices.
        """
        if any(len(group.finished) < self._share for group in self._groups):
            return
        for group in reversed(self._groups):
            hopeful = self._find_hopeful_beams(group)
            if hopeful and len(self._groups) > 1:
                return
            group.live = hopeful

    def _drop_beams_beyond_margin(self) -> None:
        """Drop the live beams that are too far below the best sentence; a score can only fall."""
        [group, *others] = self._groups
        if not self._search.margin or others or not group.finished:
            return
        least = group.finished[0].score - self._search.margin
        group.live = [beam for beam in group.live if beam.cursor.score >= least]

    def _find_hopeful_beams(self, group: BeamGroup) -> list[Beam]:
        """The live beams that may still come among the best; a beam's score can only fall."""
        most = max((_bound_choices(beam) for beam in group.live), default=0)
        worst = group.finished[self._share - 1].compute_rank(self._search)
        return [
            b for b in group.live if normalise_score(b.cursor.score, most, self._search) >= worst
        ]


def _bound_choices(beam: Beam) -> int:
    """An upper bound on the choices of any sentence that a beam can end in."""
    return beam.cursor.choices + max(beam.cursor.budget, 0) + 1
