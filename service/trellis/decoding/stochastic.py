"""Sampling sentences without replacement (stochastic beam search, Kool et al. 2019)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from trellis.decoding.hypotheses import Beam, Ending, Offers, sort_best_first
from trellis.domain.models.decoding import Search, Sentence


class StochasticBeamSearch:
    """`width` different sentences of one prompt, distributed as if drawn without replacement.

    Gumbel noise is added to the log-probability of each sentence; the `width` sentences with the
    largest sums are such a sample (Gumbel-top-k). A beam's noisy score is the largest one of all
    its sentences, so a beam outside the `width` largest contains none of the sample. Finished
    sentences and live beams compete; when no beam is live, the sample is exact. The noise of a
    beam's options is drawn on the condition that their maximum is the beam's own (section 4.1 and
    appendix B.3). The root's noisy score is 0, which shifts all scores alike.
    """

    def __init__(self, search: Search, first: Beam, random: np.random.Generator) -> None:
        self._search = search
        self._random = random
        self._noisy_hypotheses: list[tuple[float, Beam | Ending]] = [(0.0, first)]

    @property
    def live_beams(self) -> list[Beam]:
        return [each for _, each in self._noisy_hypotheses if isinstance(each, Beam)]

    @property
    def endings(self) -> list[Ending]:
        return [each for _, each in self._noisy_hypotheses if isinstance(each, Ending)]

    def step(self, offers: Offers) -> None:
        """Make one choice with every live beam; `offers`: those of the live beams, in order."""
        noisy = self._add_noise(offers)
        best = offers.find_best(noisy, self._search.width)
        ended = [
            (noise, each) for noise, each in self._noisy_hypotheses if isinstance(each, Ending)
        ]
        pool: list[tuple[float, int | Ending]] = [(float(noisy[at]), at) for at in best]
        pool = sorted([*pool, *ended], key=lambda entry: -entry[0])[: self._search.width]
        self._noisy_hypotheses = [
            (noise, each if isinstance(each, Ending) else offers.take_offer(each))
            for noise, each in pool
        ]

    def list_sentences(self) -> list[Sentence]:
        """The sample, best first."""
        return [ending.finish_sentence() for ending in sort_best_first(self.endings, self._search)]

    def _add_noise(self, offers: Offers) -> NDArray[np.float64]:
        """Noisy scores of the offers [n]: each beam's largest one equals the beam's own."""
        limits = np.array(
            [noise for noise, each in self._noisy_hypotheses if isinstance(each, Beam)]
        )
        noisy = offers.scores + self._random.gumbel(size=len(offers.scores))
        peaks = np.maximum.reduceat(noisy, offers.starts)
        limit = limits[offers.owners]
        v = limit - noisy + _log_one_minus_exp(noisy - peaks[offers.owners])
        bounded: NDArray[np.float64] = limit - np.maximum(v, 0) - np.log1p(np.exp(-np.abs(v)))
        return bounded


def _log_one_minus_exp(x: NDArray[np.float64]) -> NDArray[np.float64]:
    """log(1 - exp(x)) for x <= 0, exact near 0 and far from it (Mächler 2012)."""
    with np.errstate(divide="ignore"):
        return np.where(x > -np.log(2), np.log(-np.expm1(x)), np.log1p(-np.exp(x)))
