"""Beam search inside languages, plain and diverse.

Beams of one prompt hold different sentences, as a sentence has one spelling. Forced tokens are
taken at once, so all live beams have made the same number of choices. To end a sentence takes no
beam's place: it joins the finished ones. A search ends when no live beam can still come among the
best `width` finished ones, not at the first `width` ends: going on would change nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from trellis.decoding.cursor import END
from trellis.decoding.hypotheses import Beam, Ending, Offers, best_first, rank
from trellis.domain.decoding import Search, Sentence


@dataclass
class Group:
    """Beams that compete with one another, and the best sentences that came of them."""

    live: list[Beam] = field(default_factory=list)
    finished: list[Ending] = field(default_factory=list)

    def begun(self) -> bool:
        return bool(self.live or self.finished)


class BeamSearch:
    """The search for one prompt. With `diversity`, groups of beams choose one after the other
    (diverse beam search with the Hamming diversity of Vijayakumar et al. 2016, section 4).

    The paper counts time in tokens; here it is counted in choices, as groups that said forced
    runs of different lengths would have nothing to compare at one token. So a group pays λ for a
    token as often as earlier groups took it at this choice, in choosing only: scores stay the
    model's. A group that finds no beam of its own, early on, begins with the best that earlier
    groups left, so no two groups hold one sentence. The result: the best of each group, and where
    a group has too few, the best of what others have left.
    """

    def __init__(self, search: Search, first: Beam) -> None:
        self._search = search
        groups = (search.groups or search.width) if search.diversity else 1
        self._share = search.width // groups
        self._groups = [Group([first]), *(Group() for _ in range(groups - 1))]

    @property
    def live(self) -> list[Beam]:
        return [beam for group in self._groups for beam in group.live]

    @property
    def ended(self) -> list[Ending]:
        return [ending for group in self._groups for ending in group.finished]

    def step(self, offers: Offers) -> None:
        """Take one choice with every live beam; the offers are theirs, in order."""
        self._end(offers)
        self._choose(offers)
        for group in self._groups:
            group.finished = best_first(group.finished, self._search)[: self._search.width]
        self._stop()

    def found(self) -> list[Sentence]:
        """The best `width` sentences, best first."""
        best = [ending for group in self._groups for ending in group.finished[: self._share]]
        rest = [ending for group in self._groups for ending in group.finished[self._share :]]
        best += best_first(rest, self._search)[: self._search.width - len(best)]
        return [ending.sentence() for ending in best_first(best, self._search)]

    def _end(self, offers: Offers) -> None:
        """End every sentence that may end."""
        groups = [group for group in self._groups for _ in group.live]
        for at in np.flatnonzero(offers.tokens == END).tolist():
            groups[offers.owner[at]].finished.append(offers.ending(at))

    def _choose(self, offers: Offers) -> None:
        """Let group after group take the continuations that are worth most to it."""
        worth = np.where(offers.tokens == END, -np.inf, offers.scores)
        bounds = [*offers.starts.tolist(), len(worth)]
        beams = 0
        for group in self._groups:
            low, high = bounds[beams], bounds[beams + len(group.live)]
            beams += len(group.live)
            if not group.begun():
                low, high = 0, len(worth)
            taken = offers.best(worth[low:high], self._share, low)
            self._penalise(worth, offers.tokens, taken)
            after = [offers.taken(at) for at in taken]
            group.live = [one for one in after if isinstance(one, Beam)]
            group.finished += [one for one in after if isinstance(one, Ending)]

    def _penalise(
        self, worth: NDArray[np.float64], tokens: NDArray[np.int32], taken: list[int]
    ) -> None:
        """What a group took is nobody else's, and its tokens are worth less to later groups."""
        if self._search.diversity:
            for at in taken:
                worth[tokens == tokens[at]] -= self._search.diversity
        worth[taken] = -np.inf

    def _stop(self) -> None:
        """Drop the live beams that can change nothing any more.

        In one group beams are chosen by score, so what a hopeless one keeps out is hopeless too.
        Of several groups each goes as a whole and the last first, as it bears on those after it.
        """
        if any(len(group.finished) < self._share for group in self._groups):
            return
        for group in reversed(self._groups):
            hopeful = self._hopeful(group)
            if hopeful and len(self._groups) > 1:
                return
            group.live = hopeful

    def _hopeful(self, group: Group) -> list[Beam]:
        """The live beams that may still come among the best: their scores only fall from here."""
        most = max((_most_choices(beam) for beam in group.live), default=0)
        worst = group.finished[self._share - 1].rank(self._search)
        return [b for b in group.live if rank(b.cursor.score, most, self._search) >= worst]


def _most_choices(beam: Beam) -> int:
    """More choices than this no sentence of a beam has."""
    return beam.cursor.choices + max(beam.cursor.budget, 0) + 1
