"""Sampling sentences without replacement (stochastic beam search, Kool et al. 2019)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from trellis.decoding.hypotheses import Beam, Ending, Offers, best_first
from trellis.domain.decoding import Search, Sentence


class StochasticBeamSearch:
    """`width` different sentences of one prompt, as if drawn one by one without replacement.

    Each sentence has its log-probability and Gumbel noise; the `width` largest sums are such a
    sample (Gumbel-top-k). A beam's noisy score is the largest of all its sentences', so a beam
    that is not among the `width` largest holds none of them: finished and live ones compete, and
    when none is live the sample is exact. A choice draws its noise given the largest (section 4.1
    and appendix B.3); the root's is 0, which shifts all alike.
    """

    def __init__(self, search: Search, first: Beam, random: np.random.Generator) -> None:
        self._search = search
        self._random = random
        self._held: list[tuple[float, Beam | Ending]] = [(0.0, first)]

    @property
    def live(self) -> list[Beam]:
        return [one for _, one in self._held if isinstance(one, Beam)]

    @property
    def ended(self) -> list[Ending]:
        return [one for _, one in self._held if isinstance(one, Ending)]

    def step(self, offers: Offers) -> None:
        """Take one choice with every live beam; the offers are theirs, in order."""
        noisy = self._noisy(offers)
        best = offers.best(noisy, self._search.width)
        ended = [(noise, one) for noise, one in self._held if isinstance(one, Ending)]
        pool: list[tuple[float, int | Ending]] = [(float(noisy[at]), at) for at in best]
        pool = sorted([*pool, *ended], key=lambda one: -one[0])[: self._search.width]
        self._held = [
            (noise, one if isinstance(one, Ending) else offers.taken(one)) for noise, one in pool
        ]

    def found(self) -> list[Sentence]:
        """The sample, best first."""
        return [ending.sentence() for ending in best_first(self.ended, self._search)]

    def _noisy(self, offers: Offers) -> NDArray[np.float64]:
        """Noisy scores [n]: Gumbel around the scores, the largest of each beam being its own."""
        limits = np.array([noise for noise, one in self._held if isinstance(one, Beam)])
        noisy = offers.scores + self._random.gumbel(size=len(offers.scores))
        peaks = np.maximum.reduceat(noisy, offers.starts)
        limit = limits[offers.owner]
        v = limit - noisy + _log_one_minus_exp(noisy - peaks[offers.owner])
        found: NDArray[np.float64] = limit - np.maximum(v, 0) - np.log1p(np.exp(-np.abs(v)))
        return found


def _log_one_minus_exp(x: NDArray[np.float64]) -> NDArray[np.float64]:
    """log(1 - exp(x)) for x <= 0, exact near 0 and far from it (Mächler 2012)."""
    with np.errstate(divide="ignore"):
        return np.where(x > -np.log(2), np.log(-np.expm1(x)), np.log1p(-np.exp(x)))
