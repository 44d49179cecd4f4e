"""Samples without replacement: they have to be what drawing one by one gives."""

from __future__ import annotations

from collections import Counter
from itertools import permutations
from math import exp, sqrt

import pytest

from trellis.decoding.search import decode
from trellis.domain.models.decoding import Search
from unit.automata.worlds import World
from unit.decoding.scorers import (
    Dice,
    Tokens,
    automaton,
    by_the_book,
    interesting_worlds,
    prompt,
)

RUNS = 1200
SMALL = interesting_worlds(3, 6, 9, hops=3)


def drawn_one_by_one(chances: dict[Tokens, float], width: int) -> dict[frozenset[Tokens], float]:
    """How likely each set of sentences is: over all orders, each drawn from what is left."""
    found: dict[frozenset[Tokens], float] = {}
    for order in permutations(chances, width):
        chance, left = 1.0, 1.0
        for tokens in order:
            chance *= chances[tokens] / left
            left -= chances[tokens]
        found[frozenset(order)] = found.get(frozenset(order), 0.0) + chance
    return found


@pytest.mark.slow
@pytest.mark.parametrize(("width", "spread"), [(1, 0.8), (2, 0.8), (3, 0.8), (3, 3.0)])
@pytest.mark.parametrize("world", SMALL, ids=str)
def test_sets_are_as_frequent_as_when_drawn_one_by_one(
    world: World, width: int, spread: float
) -> None:
    """Pearson's chi-squared over all sets, rare ones together: 4 deviations above its mean fail."""
    dice, machine = Dice(11, spread), automaton(world)
    chances = {t: exp(score) for t, score in by_the_book(dice, machine, prompt(0)).items()}
    expected = {s: RUNS * p for s, p in drawn_one_by_one(chances, width).items()}
    seen = Counter(
        frozenset(
            sentence.tokens
            for sentence in decode(
                dice,
                [prompt(0)],
                [machine],
                Search(mode="stochastic_beam", width=width, seed=seed),
            )[0]
        )
        for seed in range(RUNS)
    )
    assert set(seen) <= set(expected)
    rare = {s for s, count in expected.items() if count < 8}
    bins = [(expected[s], seen[s]) for s in expected if s not in rare]
    bins += [(sum(expected[s] for s in rare), sum(seen[s] for s in rare))] if rare else []
    statistic = sum((count - mean) ** 2 / mean for mean, count in bins)
    freedom = len(bins) - 1
    assert freedom > 1
    assert statistic < freedom + 4 * sqrt(2 * freedom)


@pytest.mark.slow
def test_room_for_all_sentences_gives_all() -> None:
    for seed, world in enumerate(interesting_worlds(8)):
        every = by_the_book(Dice(seed, 4.0), automaton(world), prompt(0))
        for width in (len(every), 100):
            search = Search(mode="stochastic_beam", width=width, seed=seed)
            [found] = decode(Dice(seed, 4.0), [prompt(0)], [automaton(world)], search)
            assert {s.tokens for s in found} == set(every)


def test_a_sample_is_as_large_as_asked_for() -> None:
    for seed, world in enumerate(interesting_worlds(8, 10, 60)):
        for width in range(1, 10):
            search = Search(mode="stochastic_beam", width=width, seed=seed)
            [found] = decode(Dice(seed, 4.0), [prompt(0)], [automaton(world)], search)
            assert len({s.tokens for s in found}) == width
