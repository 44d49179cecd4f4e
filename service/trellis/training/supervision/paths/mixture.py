"""Which of the paths that explain an answer the question's words mean: a mixture, learnt by EM.

The mixture over all questions learns which paths go with which words; shorter paths come first.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from functools import partial

import numpy as np

from trellis.training.supervision.paths.explanations import Explanation, Paths, WeakPathExample
from trellis.training.supervision.word_counts import normalise_logs

_zip = partial(zip, strict=True)

_LONGER = 0.5  # how much less likely a path is before its words are seen, for each step more
_BACKWARD = 0.5  # the same for each step against its arrow
_UNUSED = 0.1  # the same for each mention that it leaves out
_ROUNDS = 8
_TRUST = 10.0  # how much a point of F1 counts against the words


def choose_explanations(
    examples: Sequence[WeakPathExample], candidates: Sequence[Sequence[Explanation]]
) -> list[Explanation | None]:
    """For each question the explanation that its words speak for, learnt over all of them."""
    bags = [frozenset(example.words) for example in examples]
    before = [
        [_weigh_prior(explanation, len(example.mentions)) for explanation in explanations]
        for example, explanations in zip(examples, candidates, strict=True)
    ]
    responsibilities = [
        normalise_logs(
            [
                said + explanation.steps * math.log(_LONGER)
                for explanation, said in _zip(explanations, those)
            ]
        )
        for explanations, those in _zip(candidates, before)
    ]
    for _ in range(_ROUNDS):
        table = _Table()
        for bag, (explanations, shares) in _zip(bags, _zip(candidates, responsibilities)):
            for explanation, share in _zip(explanations, shares):
                table.add_path(explanation.paths, bag, share)
        responsibilities = [
            normalise_logs(
                [
                    said + table.score_path(explanation.paths, bag)
                    for explanation, said in _zip(explanations, those)
                ]
            )
            for bag, (explanations, those) in _zip(bags, _zip(candidates, before))
        ]
    return [
        explanations[int(np.argmax(shares))] if explanations else None
        for explanations, shares in _zip(candidates, responsibilities)
    ]


class _Table:
    """How often paths go with words, smoothed (Bernoulli naive Bayes over words said)."""

    def __init__(self) -> None:
        self._paths: dict[Paths, float] = defaultdict(float)
        self._words: dict[tuple[Paths, str], float] = defaultdict(float)
        self._about: dict[str, float] = defaultdict(float)
        self._total = 0.0

    def add_path(self, paths: Paths, bag: frozenset[str], share: float) -> None:
        self._paths[paths] += share
        self._total += share
        for word in bag:
            self._words[paths, word] += share
            self._about[word] += share

    def score_path(self, paths: Paths, bag: frozenset[str]) -> float:
        """log of how often the path is, + log p(words | path), backed off to the words alone."""
        seen = self._paths[paths]
        score = math.log(seen + 1e-9)
        for word in bag:
            backed = 2.0 * self._about[word] / max(self._total, 1.0)
            score += math.log((self._words[paths, word] + backed + 1e-9) / (seen + 2.0))
        return score


def _weigh_prior(explanation: Explanation, mentions: int) -> float:
    """What speaks for an explanation before its words do: straight, from all mentions, true."""
    backward = sum(step.reversed for path in explanation.paths for step in path.steps)
    unused = mentions - len(explanation.paths)
    return backward * math.log(_BACKWARD) + unused * math.log(_UNUSED) + _TRUST * explanation.f1
