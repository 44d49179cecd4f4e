"""Decoding with a small random model: against brute force, alone and side by side."""

from __future__ import annotations

from math import exp, isclose

import numpy as np
import pytest

from trellis.automata.tokens.vocabulary import TokenizerVocabulary
from trellis.decoding.search import decode
from trellis.domain.errors import InputError
from trellis.domain.models.decoding import Search, Sentence
from trellis.engines.cached_scorer import CachedScorer
from unit.automata.kinds import vocabulary
from unit.automata.test_laws import sentences
from unit.automata.worlds import World
from unit.decoding.scorers import (
    Dice,
    Rereading,
    automaton,
    by_the_book,
    interesting_worlds,
    model,
    prompt,
)

SEARCHES = {
    "greedy": Search(mode="greedy"),
    "sample": Search(mode="sample", width=12, seed=3),
    "beam": Search(width=4),
    "short beam": Search(width=4, length_penalty=1.0),
    "diverse beam": Search(width=6, diversity=1.5, groups=3),
    "K beams": Search(width=4, diversity=0.5),
    "stochastic beam": Search(mode="stochastic_beam", width=5, seed=1),
}
every_search = pytest.mark.parametrize("search", SEARCHES.values(), ids=SEARCHES)


@pytest.mark.parametrize("world", interesting_worlds(), ids=str)
def test_a_wide_beam_finds_every_sentence_with_its_score(world: World) -> None:
    every = sentences(automaton(world))
    scores = by_the_book(Rereading(), automaton(world), prompt(1))
    [found] = decode(CachedScorer(model()), [prompt(1)], [automaton(world)], Search(width=100))
    assert {s.tokens for s in found} == set(every)
    assert len(found) == len(every)
    for sentence in found:
        assert isclose(sentence.score, scores[sentence.tokens], abs_tol=1e-4)
        assert sentence.values == every[sentence.tokens]
    assert isclose(sum(exp(s.score) for s in found), 1.0, abs_tol=1e-4)
    assert [s.score for s in found] == sorted((s.score for s in found), reverse=True)


@every_search
@pytest.mark.parametrize("scorer", [lambda: CachedScorer(model()), Rereading])
def test_questions_side_by_side_get_what_they_get_alone(scorer: type, search: Search) -> None:
    """With the key–value cache, and without it: the same sentences, in the same order."""
    worlds = [*interesting_worlds(), interesting_worlds()[0]]
    prompts = [prompt(i) for i in range(len(worlds))]
    alone = [
        decode(CachedScorer(model()), [text], [automaton(world)], search)[0]
        for text, world in zip(prompts, worlds, strict=True)
    ]
    together = decode(scorer(), prompts, [automaton(world) for world in worlds], search)
    for one, other in zip(alone, together, strict=True):
        assert one
        assert [s.text for s in one] == [s.text for s in other]
        assert [s.values for s in one] == [s.values for s in other]
        assert np.allclose([s.score for s in one], [s.score for s in other], atol=1e-4, rtol=0)


@every_search
def test_every_mode_gives_different_sentences_with_the_models_scores(search: Search) -> None:
    for i, world in enumerate(interesting_worlds()):
        scores = by_the_book(Dice(i), automaton(world), prompt(i))
        [found] = decode(Dice(i), [prompt(i)], [automaton(world)], search)
        assert 0 < len(found) <= search.width
        assert len({s.tokens for s in found}) == len(found)
        for sentence in found:
            assert isclose(sentence.score, scores[sentence.tokens], abs_tol=1e-6)
        ranks = [s.score / s.choices**search.length_penalty for s in found]
        assert ranks == sorted(ranks, reverse=True)


@every_search
def test_equals_come_in_the_order_of_their_tokens(search: Search) -> None:
    """A model without an opinion: nothing but the tokens tells sentences apart."""
    world = interesting_worlds()[2]
    [found] = decode(Dice(spread=0.0), [prompt(0)], [automaton(world)], search)
    keys = [(-s.score / s.choices**search.length_penalty, s.tokens) for s in found]
    assert keys == sorted(keys)


def test_greedy_takes_the_likeliest_option_each_time() -> None:
    for i, world in enumerate(interesting_worlds()):
        machine, dice = automaton(world), Dice(i)
        [[greedy]] = decode(dice, [prompt(i)], [machine], Search(mode="greedy"))
        scores = by_the_book(dice, machine, prompt(i))
        for at in range(len(greedy.tokens) + 1):
            said = greedy.tokens[:at]
            after: dict[tuple[int, ...], float] = {}
            for tokens, score in scores.items():
                if tokens[:at] == said:
                    option = tokens[at : at + 1]
                    after[option] = after.get(option, 0.0) + exp(score)
            assert max(after, key=lambda option: after[option]) == greedy.tokens[at : at + 1]


@pytest.mark.slow
def test_samples_are_as_frequent_as_they_are_likely() -> None:
    world, dice = interesting_worlds(1, 5, 9)[0], Dice(5, spread=0.7)
    scores = by_the_book(dice, automaton(world), prompt(0))
    machine, runs = automaton(world), 1500
    drawn = [
        decode(dice, [prompt(0)], [machine], Search(mode="sample", width=1, seed=seed))[0][0]
        for seed in range(runs)
    ]
    for tokens, score in scores.items():
        share = sum(sentence.tokens == tokens for sentence in drawn) / runs
        assert abs(share - exp(score)) < 4 * np.sqrt(exp(score) / runs)


def test_samples_of_one_seed_repeat_and_of_another_differ() -> None:
    world = interesting_worlds()[0]

    def run(mode: str, seed: int) -> list[Sentence]:
        search = Search(mode=mode, width=3, seed=seed)  # type: ignore[arg-type]
        return decode(Dice(), [prompt(0)], [automaton(world)], search)[0]

    for mode in ("sample", "stochastic_beam"):
        assert run(mode, 3) == run(mode, 3)
        assert len({tuple(s.tokens for s in run(mode, seed)) for seed in range(20)}) > 1


def test_many_samples_find_every_likely_sentence() -> None:
    for i, world in enumerate(interesting_worlds()):
        scores = by_the_book(Dice(i), automaton(world), prompt(i))
        search = Search(mode="sample", width=300)
        [found] = decode(Dice(i), [prompt(i)], [automaton(world)], search)
        assert {s.tokens for s in found} >= {t for t, score in scores.items() if exp(score) > 0.05}


def test_chance_is_one_for_each_question_and_not_one_for_all() -> None:
    world = interesting_worlds()[0]
    prompts = [(i,) for i in range(2, 22)]
    for mode in ("sample", "stochastic_beam"):
        search = Search(mode=mode, width=1)  # type: ignore[arg-type]
        found = decode(Dice(spread=0.0), prompts, [automaton(world)] * len(prompts), search)
        assert len({sentence.tokens for [sentence] in found}) > 1


def test_a_cold_model_is_greedy_and_a_hot_one_has_no_opinion() -> None:
    world = interesting_worlds()[0]
    start, machine = prompt(0), automaton(world)
    [[greedy]] = decode(Dice(), [start], [machine], Search(mode="greedy"))
    for mode in ("sample", "beam", "stochastic_beam"):
        cold = Search(mode=mode, width=1, temperature=1e-4)  # type: ignore[arg-type]
        assert decode(Dice(), [start], [machine], cold)[0][0].tokens == greedy.tokens
    hot = decode(Dice(), [start], [machine], Search(width=100, temperature=1e6))
    even = decode(Dice(spread=0.0), [start], [machine], Search(width=100))
    assert {s.tokens: round(s.score, 3) for s in hot[0]} == {
        s.tokens: round(s.score, 3) for s in even[0]
    }


@pytest.mark.parametrize("mode", ["beam", "greedy", "sample", "stochastic_beam"])
def test_no_budget_cuts_a_sentence(mode: str) -> None:
    for world in interesting_worlds():
        lengths = sorted(len(tokens) for tokens in sentences(automaton(world)))
        budget = lengths[len(lengths) // 2]
        search = Search(mode=mode, width=100, max_tokens=budget)  # type: ignore[arg-type]
        [found] = decode(CachedScorer(model()), [prompt(0)], [automaton(world)], search)
        assert found
        assert all(len(s.tokens) <= budget for s in found)
        assert {s.tokens for s in found} <= set(sentences(automaton(world)))
        if "beam" in mode:
            assert len(found) == sum(length <= budget for length in lengths)


def test_a_budget_too_small_for_any_sentence_says_so() -> None:
    world = interesting_worlds()[0]
    with pytest.raises(InputError, match="allow more tokens"):
        decode(Dice(), [prompt(0)], [automaton(world)], Search(max_tokens=1))


@every_search
def test_a_language_of_no_sentence_gives_none_and_of_one_that_one(search: Search) -> None:
    none = automaton(World(("a",), (), (0,), 2, "simple", "relations"))
    one = automaton(World(("a", "b"), ((0, 0, 1),), (0,), 1, "simple", "relations"))
    dice = Dice()
    found = decode(dice, [prompt(0), prompt(1)], [none, one], search)
    assert not dice.texts(), "there is nothing to ask a model"
    assert [[(s.text, s.score) for s in said] for said in found] == [[], [("ENT1 -> r", 0.0)]]


class JoinedEnds(Dice):
    """Gives the end id what it and the last id have together."""

    def read_logits(self, rows: np.ndarray, tokens: np.ndarray) -> np.ndarray:
        words = vocabulary("bytes-500")
        logits = super().read_logits(rows, tokens)
        last = super().read_logits(rows, np.full_like(tokens, words.size - 1))
        return np.where(tokens == min(words.ends), np.logaddexp(logits, last), logits)


@every_search
def test_several_end_ids_are_one_option_as_likely_as_they_are_together(search: Search) -> None:
    words = vocabulary("bytes-500")
    last = words.size - 1
    two_ends = TokenizerVocabulary(words._tokenizer, [*words.ends, last], words.size)
    for i, world in enumerate(interesting_worlds()):
        [two] = decode(Dice(i), [prompt(i)], [automaton(world, two_ends)], search)
        [one] = decode(JoinedEnds(i), [prompt(i)], [automaton(world)], search)
        assert [s.tokens for s in two] == [s.tokens for s in one]
        assert np.allclose([s.score for s in two], [s.score for s in one], atol=1e-5, rtol=0)
        assert not any({*words.ends, last} & set(s.tokens) for s in two)
