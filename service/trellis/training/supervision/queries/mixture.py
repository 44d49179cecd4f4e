"""Which of several explanations is meant: the wording of all questions decides.

Every explanation has parts: what is returned, relationships, filters. A mixture over all questions
learns how often each part brings which words (EM): the words of a question come from the parts of
its explanation, as those of a translation from the words of a sentence (IBM model 1, Brown et al.
1993). Each part brings its own number of words (Poisson), so that a long explanation of many words
is as good as a short one of few. Words that a part's own name shares count from the start.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from trellis.linking.values.value_index import has_same_stem
from trellis.training.supervision.queries.pattern_trees import (
    PART_KINDS,
    SILENT_KINDS,
    Candidate,
    Part,
    PatternTree,
    list_name_words,
    list_structure,
)

_ROUNDS = 40
_TRUST = 20.0  # how much a point of fit counts against the words
_UNSAID = 0.02  # how much is believed of what leaves a value out that the question says
_LONGER = 0.7  # how much less likely what is longer by a node is, before any question is read
_FIRST = 0.2  # the same for the first of some, beside all of them
_AGAINST = 0.7  # how much less likely each relationship is that is taken against its arrow
_BACK = 0.1  # the same where that is the way back of the one before
_SMOOTH = 1.0  # how often each part is taken as seen before any question is
_OWN = 1.0  # how often it then brought a word of its own name
_UNSEEN = 0.02  # … and any other word

Vector = NDArray[np.float64]
Numbers = dict[Part, int]
"""The number of each thing that comes, in the order of its coming."""


@dataclass(frozen=True, slots=True)
class RankedCandidate:
    """An explanation and how probable it is among those of its question."""

    candidate: Candidate
    posterior: float


def rank_candidates(
    bags: Sequence[Sequence[str]], needed: Sequence[int], candidates: Sequence[Sequence[Candidate]]
) -> list[list[RankedCandidate]]:
    """For each question its explanations, likeliest first. `needed`: mentions to be said, as
    bits."""
    mixture = _Mixture(bags, candidates)
    before = [
        np.array([_weigh_prior(candidate, bits) for candidate in those], np.float64)
        for those, bits in zip(candidates, needed, strict=True)
    ]
    responsibilities = [
        _normalise_scores(
            prior + np.array([_weigh_at_first(candidate) for candidate in those], np.float64)
        )
        for prior, those in zip(before, candidates, strict=True)
    ]
    for _ in range(_ROUNDS):
        mixture.learn_counts(responsibilities)
        responsibilities = [
            _normalise_scores(prior + said)
            for prior, said in zip(before, mixture.score_explanations(), strict=True)
        ]
    return [
        sorted(map(RankedCandidate, those, map(float, shares)), key=_order_ranked)
        for those, shares in zip(candidates, responsibilities, strict=True)
    ]


def _order_ranked(ranked: RankedCandidate) -> tuple[float, int, PatternTree]:
    """The likeliest come first, and of equally likely ones the smallest."""
    return -ranked.posterior, ranked.candidate.tree.size, ranked.candidate.tree


def _weigh_prior(candidate: Candidate, needed: int) -> float:
    """What speaks for an explanation before its words do."""
    said = [1 << meaning.mention for meaning in candidate.tree.meanings_below()]
    unsaid = (needed & ~sum(said)).bit_count()
    outward = sum(branch.direction == "out" for branch in candidate.tree.branches_below())
    against = outward * math.log(_AGAINST)
    back = _count_turns(candidate.tree) * math.log(_BACK)
    told = _TRUST * candidate.fit + unsaid * math.log(_UNSAID) - math.log(candidate.ties)
    return told + against + back


def _count_turns(tree: PatternTree) -> int:
    """How often a relationship is followed by another of its type in the other direction."""
    pairs = (
        (branch, following) for branch in tree.branches_below() for following in branch.to.branches
    )
    return sum(
        branch.type == following.type and branch.direction != following.direction
        for branch, following in pairs
    )


def weigh_first(candidate: Candidate, needed: int) -> float:
    """By what explanations are looked at: the brief come first."""
    longer = (candidate.tree.size + bool(candidate.head.order)) * math.log(_LONGER)
    return _weigh_prior(candidate, needed) + longer


def _weigh_at_first(candidate: Candidate) -> float:
    """What speaks for an explanation only before any question is read, so that few questions do
    not make much of what is long: the brief, and all instead of the first."""
    return candidate.tree.size * math.log(_LONGER) + bool(candidate.head.order) * math.log(_FIRST)


class _Mixture:
    """How often parts are, and with which words, expected over all questions."""

    def __init__(
        self, bags: Sequence[Sequence[str]], candidates: Sequence[Sequence[Candidate]]
    ) -> None:
        parts, structures, vocabulary = Numbers(), Numbers(), Numbers()
        self._questions = [
            _QuestionParts.of(bag, those, parts, structures, vocabulary)
            for bag, those in zip(bags, candidates, strict=True)
        ]
        self._parts, self._structures = parts, structures
        self._width = max(1, len(vocabulary))
        codes = [told.encode_pairs(self._width).ravel() for told in self._questions]
        self._pairs = np.unique(np.concatenate(codes)) if codes else np.empty(0, np.int64)
        self._at = [
            np.searchsorted(self._pairs, told.encode_pairs(self._width)) for told in self._questions
        ]
        self._own = self._count_pairs([word for (word,) in vocabulary])
        self._kind = np.array([PART_KINDS.index(part[0]) for part in parts], np.int64)
        self._seen = np.zeros(len(parts))
        self._whole = np.zeros(len(structures))
        self._table = self._own + _UNSEEN

    def learn_counts(self, responsibilities: Sequence[Vector]) -> None:
        """Count parts, structures and the words that they bring, by responsibilities."""
        pairs, seen = np.zeros(len(self._pairs)), np.zeros(len(self._parts))
        whole = np.zeros(len(self._structures))
        for told, at, share in zip(self._questions, self._at, responsibilities, strict=True):
            table = self._table[at]
            mixed = told.brings @ table + 1e-12
            np.add.at(pairs, at, table * (told.brings.T @ (share[:, None] / mixed)))
            np.add.at(seen, told.parts, told.times.T @ share)
            np.add.at(whole, told.structures, share)
        self._seen, self._whole = seen, whole
        brought = pairs + _SMOOTH * (self._own + _UNSEEN)
        self._table = brought / (seen + _SMOOTH)[self._pairs // self._width]

    def score_explanations(self) -> list[Vector]:
        """Of each question's explanations: how likely they are, and their words then."""
        often = np.bincount(self._kind, weights=self._seen, minlength=len(PART_KINDS))[self._kind]
        alone = np.log((self._seen + _SMOOTH) / (often + 1.0))
        alone[self._kind == PART_KINDS.index("any")] = 0.0
        total = self._whole.sum() + 1.0
        part = self._pairs // self._width
        most = np.bincount(part, weights=self._table, minlength=len(self._parts))
        scores = []
        for told, at in zip(self._questions, self._at, strict=True):
            said = (
                np.log(told.brings @ self._table[at] + 1e-9).sum(1) - told.brings @ most[told.parts]
            )
            composed = told.times @ alone[told.parts]
            known = np.log(self._whole[told.structures] / total + 1e-12)
            scores.append(said + np.logaddexp(composed, known))
        return scores

    def _count_pairs(self, vocabulary: Sequence[str]) -> Vector:
        """For each pair of a part and a word: how often they are taken as seen together."""
        named = [list_name_words(part) for part in self._parts]
        own = np.zeros(len(self._pairs))
        for index, pair in enumerate(self._pairs.tolist()):
            part, word = divmod(pair, self._width)
            if any(has_same_stem(vocabulary[word], name) for name in named[part]):
                own[index] = _OWN
        return own


@dataclass(frozen=True, eq=False, slots=True)
class _QuestionParts:
    """A question's words, the parts of all its explanations, and which has which.

    `times` [c, u]: how often explanation c has part u; `brings`: the same of those that bring
    words.
    """

    words: NDArray[np.int64]
    parts: NDArray[np.int64]
    structures: NDArray[np.int64]
    times: Vector
    brings: Vector

    @classmethod
    def of(
        cls,
        bag: Sequence[str],
        candidates: Sequence[Candidate],
        parts: Numbers,
        structures: Numbers,
        vocabulary: Numbers,
    ) -> _QuestionParts:
        consist = [list_structure(candidate) for candidate in candidates]
        wholes = [tuple(chain(*those)) for those in consist]
        local = {part: i for i, part in enumerate(dict.fromkeys(chain(*consist)))}
        times = np.zeros((len(candidates), len(local)))
        for row, those in enumerate(consist):
            for part in those:
                times[row, local[part]] += 1
        speaks = np.array([part[0] not in SILENT_KINDS for part in local], np.float64)
        return cls(
            np.array([_number(vocabulary, (word,)) for word in bag], np.int64),
            np.array([_number(parts, part) for part in local], np.int64),
            np.array([_number(structures, whole) for whole in wholes], np.int64),
            times,
            times * speaks,
        )

    def encode_pairs(self, width: int) -> NDArray[np.int64]:
        """A number for each pair of a part and a word [u, w]."""
        codes: NDArray[np.int64] = self.parts[:, None] * width + self.words[None, :]
        return codes


def _number(numbers: Numbers, part: Part) -> int:
    return numbers.setdefault(part, len(numbers))


def _normalise_scores(scores: Vector) -> Vector:
    """Log scores to responsibilities that add to one."""
    if not len(scores):
        return scores
    weights = np.exp(scores - scores.max())
    responsibilities: Vector = weights / weights.sum()
    return responsibilities
