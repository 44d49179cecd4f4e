"""Beam search over moves agrees with brute force, whatever the language."""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pytest

from trellis.automata.language import Moves
from trellis.decoding.move_search import ScoredMoves, search_moves
from trellis.domain.errors import InputError
from trellis.domain.models.decoding import Search

State = tuple[int, ...]


@dataclass(frozen=True)
class RandomLanguage:
    """Sentences of up to `longest` of `count` moves; which moves a state excludes, and whether it
    may end, is drawn. Without a seed nothing is excluded, and every state may end."""

    seed: int | None
    count: int = 4
    longest: int = 4

    def start(self) -> State:
        return ()

    def site(self, state: State) -> int:
        return len(state) if len(state) < self.longest else self.longest

    def moves(self, state: State) -> Moves:
        return Moves([f" m{n}" for n in range(self.count)] if len(state) < self.longest else [])

    def list_excluded_moves(self, state: State) -> tuple[int, ...]:
        draw = self._draw(state)
        excluded = [n for n in range(self.count) if self.seed is not None and draw.random() < 0.4]
        return tuple(excluded[:-1] if len(excluded) == self.count else excluded)

    def follow(self, state: State, move: int) -> State | None:
        return None if move in self.list_excluded_moves(state) else (*state, move)

    def accepting(self, state: State) -> bool:
        if self.seed is None or len(state) == self.longest:
            return True
        return bool(state) and self._draw((*state, -1)).random() < 0.3

    def values(self, state: State) -> tuple[State]:
        return (state,)

    def text(self, state: State) -> str:
        return "".join(f" m{n}" for n in state)

    def reserve(self, state: State) -> tuple[int, int]:  # noqa: ARG002
        return 4 * self.longest, self.longest

    def _draw(self, state: State) -> random.Random:
        return random.Random(f"{self.seed} {state}")


class DrawnScorer:
    """Logits that are drawn for what is said and what is offered. `language` gives the moves; of
    the mass of all moves those of the language and the end are known."""

    end = -1

    def __init__(self, language: RandomLanguage, *, weighs_forced: bool = False) -> None:
        self.language = language
        self.weighs_forced = weighs_forced
        self.asked = 0

    def list_moves(self, state: State) -> Sequence[int]:
        return range(len(self.language.moves(state)))

    def score_moves(
        self, said: Sequence[Sequence[int]], offered: Sequence[Sequence[int]]
    ) -> list[ScoredMoves]:
        self.asked += len(said)
        every = range(-1, self.language.count)
        return [
            ScoredMoves(self.draw_logits(before, moves), _sum(self.draw_logits(before, every)))
            for before, moves in zip(said, offered, strict=True)
        ]

    def draw_logits(self, said: Sequence[int], moves: Sequence[int]) -> np.ndarray:
        return np.array([random.Random(f"{list(said)} {m}").gauss(0, 2) for m in moves])


def _sum(logits: np.ndarray) -> float:
    return float(np.logaddexp.reduce(logits))


def list_by_force(language: RandomLanguage, scorer: DrawnScorer) -> dict[State, float]:
    """All sentences with their scores, one state after the other."""
    found, open_states = {}, [((), 0.0)]
    while open_states:
        state, score = open_states.pop()
        excluded = language.list_excluded_moves(state)
        offered = [m for m in scorer.list_moves(state) if m not in excluded]
        offered = [-1, *offered] if language.accepting(state) else offered
        logits = scorer.draw_logits(state, offered)
        for move, gain in zip(offered, logits - _sum(logits), strict=True):
            if move < 0:
                found[state] = score + gain
            else:
                open_states.append(((*state, move), score + gain))
    return found


@pytest.mark.parametrize("seed", range(25))
def test_a_wide_search_finds_all_sentences_with_their_scores(seed: int) -> None:
    language = RandomLanguage(seed)
    scorer = DrawnScorer(language)
    wanted = list_by_force(language, scorer)
    sentences = search_moves(language, scorer, Search(width=1_000))
    found = {sentence.values[0]: sentence.score for sentence in sentences}
    assert found == pytest.approx(wanted)
    assert np.exp(list(found.values())).sum() == pytest.approx(1.0)
    assert [s.score for s in sentences] == sorted(found.values(), reverse=True)


@pytest.mark.parametrize("seed", range(25))
def test_a_narrow_search_gives_sentences_of_the_language_best_first(seed: int) -> None:
    language = RandomLanguage(seed)
    scorer = DrawnScorer(language)
    wanted = list_by_force(language, scorer)
    sentences = search_moves(language, scorer, Search(width=5))
    assert len(sentences) == min(5, len(wanted))
    for sentence in sentences:
        assert sentence.score == pytest.approx(wanted[sentence.values[0]])
        assert sentence.text == language.text(sentence.values[0]).strip()
        assert sentence.tokens == ()
    assert list(sentences) == sorted(sentences, key=lambda sentence: -sentence.score)


@pytest.mark.parametrize("seed", range(10))
def test_support_tells_what_the_language_refused(seed: int) -> None:
    language = RandomLanguage(seed)
    for sentence in search_moves(language, DrawnScorer(language), Search(width=20)):
        assert sentence.support is not None
        assert sentence.support.total <= sentence.support.least <= 0


def test_support_sums_the_shares_of_the_directions_that_were_said() -> None:
    language = RandomLanguage(3)
    for sentence in search_moves(
        language, TurningScorer(language, weighs_forced=True), Search(width=20)
    ):
        assert sentence.support is not None
        assert sentence.support.turned == pytest.approx(-0.5 * sum(sentence.values[0]))


class TurningScorer(DrawnScorer):
    """Of each move half its number is the loss by its direction; the end has none."""

    def score_moves(
        self, said: Sequence[Sequence[int]], offered: Sequence[Sequence[int]]
    ) -> list[ScoredMoves]:
        scored = super().score_moves(said, offered)
        turned = [np.array([-0.5 * max(0, move) for move in moves]) for moves in offered]
        return [replace(it, turned=own) for it, own in zip(scored, turned, strict=True)]


def test_where_nothing_is_refused_support_is_nought() -> None:
    language = RandomLanguage(None, longest=2)
    sentences = search_moves(language, DrawnScorer(language), Search(width=100))
    complete = [s for s in sentences if len(s.values[0]) < 2]
    assert complete
    for sentence in complete:
        assert sentence.support is not None
        assert sentence.support.total == pytest.approx(0.0)


def test_a_move_that_is_the_only_one_needs_no_model_and_costs_nothing() -> None:
    class OneMove(RandomLanguage):
        def accepting(self, state: State) -> bool:
            return len(state) == self.longest

    language = OneMove(None, count=1)
    scorer = DrawnScorer(language)
    [sentence] = search_moves(language, scorer, Search(width=3))
    assert (sentence.score, sentence.choices, scorer.asked) == (0.0, 0, 0)


def test_a_forced_move_is_weighed_against_what_was_refused_where_all_is_known() -> None:
    class OneMove(RandomLanguage):
        def list_excluded_moves(self, state: State) -> tuple[int, ...]:  # noqa: ARG002
            return (0, 2, 3)

        def accepting(self, state: State) -> bool:
            return len(state) == self.longest

    language = OneMove(None)
    scorer = DrawnScorer(language, weighs_forced=True)
    [sentence] = search_moves(language, scorer, Search(width=3))
    logits = [scorer.draw_logits((1,) * said, range(-1, 4)) for said in range(4)]
    shares = [each[2] - _sum(each) for each in logits]
    ending = scorer.draw_logits((1,) * 4, range(-1, 4))
    assert (sentence.score, sentence.choices) == (0.0, 0)
    assert sentence.support is not None
    assert sentence.support.total == pytest.approx(sum(shares) + ending[0] - _sum(ending))
    assert sentence.support.least == pytest.approx(min(*shares, ending[0] - _sum(ending)))


def test_a_margin_leaves_out_what_is_far_below_the_best() -> None:
    language = RandomLanguage(3)
    scorer = DrawnScorer(language)
    every = search_moves(language, scorer, Search(width=1_000))
    near = search_moves(language, scorer, Search(width=1_000, margin=1.0))
    assert near[0] == every[0]
    assert len(near) < len(every)


def test_modes_that_are_no_beam_search_are_refused() -> None:
    language = RandomLanguage(0)
    for mode, width in itertools.product(("sample", "stochastic_beam"), (1, 3)):
        with pytest.raises(InputError, match="does not search moves"):
            search_moves(language, DrawnScorer(language), Search(mode=mode, width=width))  # type: ignore[arg-type]
