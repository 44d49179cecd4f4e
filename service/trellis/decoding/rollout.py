"""Greedy decoding and sampling inside languages: from left to right, without backtracking."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from trellis.decoding.hypotheses import Beam, Ending, Offers, sort_best_first
from trellis.domain.models.decoding import Search, Sentence


class Rollout:
    """One greedy sentence of one prompt, or the distinct ones among `width` samples.

    Samples with the same tokens so far share one live beam, so they cost the model one row.
    """

    def __init__(self, search: Search, first: Beam, random: np.random.Generator) -> None:
        self._search = search
        self._random = random
        self._live = [(first, search.width)]  # each beam with the number of samples it stands for
        self._finished: list[Ending] = []

    @property
    def live_beams(self) -> list[Beam]:
        return [beam for beam, _ in self._live]

    @property
    def endings(self) -> list[Ending]:
        return self._finished

    def step(self, offers: Offers) -> None:
        """Make one choice with every live beam; `offers`: those of the live beams, in order."""
        ends = [*offers.starts[1:].tolist(), len(offers.scores)]
        going = []
        for (_, copies), low, high in zip(self._live, offers.starts.tolist(), ends, strict=True):
            counts = self._pick_counts(offers.scores[low:high], copies)
            for at in np.flatnonzero(counts).tolist():
                after = offers.take_offer(low + at)
                if isinstance(after, Ending):
                    self._finished.append(after)
                else:
                    going.append((after, int(counts[at])))
        self._live = going

    def list_sentences(self) -> list[Sentence]:
        """The sentences, best first."""
        return [
            ending.finish_sentence() for ending in sort_best_first(self._finished, self._search)
        ]

    def _pick_counts(self, scores: NDArray[np.float64], copies: int) -> NDArray[np.int64]:
        """For each option the number of samples, of `copies` in all, that take it."""
        if self._search.mode == "greedy":
            return np.bincount([np.argmax(scores)], minlength=len(scores))
        likely = np.exp(scores - scores.max())
        counts: NDArray[np.int64] = self._random.multinomial(copies, likely / likely.sum())
        return counts
