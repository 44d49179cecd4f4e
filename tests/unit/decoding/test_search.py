"""Decoding with a small random model: against brute force, alone and side by side."""

from __future__ import annotations

from functools import cache
from math import isclose

import numpy as np
import pytest
import torch
from transformers import LlamaConfig, LlamaForCausalLM

from trellis.automata.automaton import TokenAutomaton
from trellis.decoding.beam import beam_search
from trellis.decoding.cursor import log_probabilities, opened
from trellis.decoding.rollout import rollout
from trellis.domain.errors import InputError
from trellis.domain.ports import Search, Sentence
from trellis.engines.cached_scorer import CachedScorer
from unit.automata.kinds import vocabulary
from unit.automata.test_laws import language, sentences
from unit.automata.worlds import World, random_world

PROMPTS = ("Question: who?\nPath:", "Question: what is the r of ENT1 ?\nPath:", "x")


@cache
def model() -> LlamaForCausalLM:
    torch.manual_seed(7)
    config = LlamaConfig(
        vocab_size=vocabulary("bytes-500").size,
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=2,
        num_attention_heads=4,
        initializer_range=0.3,
        bos_token_id=None,
        eos_token_id=0,
        pad_token_id=None,
    )
    return LlamaForCausalLM(config).eval()


@cache
def interesting_worlds(count: int = 6) -> list[World]:
    found: list[World] = []
    for seed in range(1000):
        world = random_world(seed)
        if 5 <= len(sentences(automaton(world))) <= 60:
            found.append(world)
        if len(found) == count:
            break
    return found


def automaton(world: World) -> TokenAutomaton:
    return TokenAutomaton(language(world), vocabulary("bytes-500"))


def prompt(index: int) -> tuple[int, ...]:
    return vocabulary("bytes-500").encode(PROMPTS[index % len(PROMPTS)])


def by_the_book(world: World, start: tuple[int, ...], tokens: tuple[int, ...]) -> float:
    """The score of one sentence: a full forward pass, and one option at a time."""
    with torch.inference_mode():
        logits = model()(torch.tensor([[*start, *tokens]])).logits[0].numpy()
    machine = automaton(world)
    cursor = opened(machine, 512)
    assert cursor is not None
    score, at = 0.0, len(cursor.tokens)
    while True:
        options = cursor.options()
        row = logits[len(start) + at - 1]
        wanted = -1 if at == len(tokens) else tokens[at]
        gains = log_probabilities(cursor, options, row)
        score += float(gains[options.tolist().index(wanted)])
        if wanted == -1:
            return score
        cursor = cursor.said(wanted, score, len(options) > 1)
        at = len(cursor.tokens)


@pytest.mark.parametrize("world", interesting_worlds(), ids=str)
def test_a_wide_beam_finds_every_sentence_with_its_score(world: World) -> None:
    every = sentences(automaton(world))
    start = prompt(1)
    [found] = beam_search(CachedScorer(model()), [start], [automaton(world)], Search(width=100))
    assert {s.tokens for s in found} == set(every)
    assert len(found) == len(every)
    for sentence in found:
        assert isclose(sentence.score, by_the_book(world, start, sentence.tokens), abs_tol=1e-4)
        assert sentence.values == every[sentence.tokens]
    assert isclose(sum(np.exp(s.score) for s in found), 1.0, abs_tol=1e-4)
    assert [s.score for s in found] == sorted((s.score for s in found), reverse=True)


def test_questions_side_by_side_get_what_they_get_alone() -> None:
    worlds = interesting_worlds()
    search = Search(width=4)
    alone = [
        beam_search(CachedScorer(model()), [prompt(i)], [automaton(world)], search)[0]
        for i, world in enumerate(worlds)
    ]
    prompts = [prompt(i) for i in range(len(worlds))]
    together = beam_search(
        CachedScorer(model()), prompts, [automaton(world) for world in worlds], search
    )
    assert [_texts(found) for found in together] == [_texts(found) for found in alone]
    for one, other in zip(alone, together, strict=True):
        assert np.allclose([s.score for s in one], [s.score for s in other], atol=1e-4)


def test_greedy_takes_the_likeliest_token_each_time() -> None:
    for i, world in enumerate(interesting_worlds()):
        machine = automaton(world)
        [[sentence]] = rollout(CachedScorer(model()), [prompt(i)], [machine], Search(mode="greedy"))
        assert sentence.tokens in sentences(machine)
        assert isclose(sentence.score, by_the_book(world, prompt(i), sentence.tokens), abs_tol=1e-4)


def test_samples_are_sentences_and_seeds_repeat() -> None:
    world = interesting_worlds()[0]
    search = Search(mode="sample", width=40, seed=3)
    run = [rollout(CachedScorer(model()), [prompt(0)], [automaton(world)], search) for _ in "ab"]
    assert run[0] == run[1]
    assert {s.tokens for s in run[0][0]} <= set(sentences(automaton(world)))
    assert len(run[0][0]) > 1


@pytest.mark.parametrize("mode", ["beam", "greedy", "sample"])
def test_no_budget_cuts_a_sentence(mode: str) -> None:
    for world in interesting_worlds():
        lengths = sorted(len(tokens) for tokens in sentences(automaton(world)))
        budget = lengths[len(lengths) // 2]
        search = Search(mode=mode, width=100, max_tokens=budget)  # type: ignore[arg-type]
        run = beam_search if mode == "beam" else rollout
        [found] = run(CachedScorer(model()), [prompt(0)], [automaton(world)], search)
        assert found
        assert all(len(s.tokens) <= budget for s in found)
        assert {s.tokens for s in found} <= set(sentences(automaton(world)))
        if mode == "beam":
            assert len(found) == sum(length <= budget for length in lengths)


def test_a_budget_too_small_for_any_sentence_says_so() -> None:
    world = interesting_worlds()[0]
    with pytest.raises(InputError, match="allow more tokens"):
        beam_search(CachedScorer(model()), [prompt(0)], [automaton(world)], Search(max_tokens=1))


def test_a_language_without_sentences_gives_none() -> None:
    world = World(("a",), (), (0,), 2, "simple", "relations")
    assert beam_search(CachedScorer(model()), [prompt(0)], [automaton(world)], Search()) == [[]]


def test_no_narrow_beam_stops_before_its_best_sentence() -> None:
    """What a beam of width 1 finishes is never worse than what greedy decoding finds."""
    for i, world in enumerate(interesting_worlds()):
        run = CachedScorer(model()), [prompt(i)], [automaton(world)]
        [[greedy]] = rollout(*run, Search(mode="greedy"))
        [[best]] = beam_search(*run, Search(width=1))
        assert best.score >= greedy.score - 1e-5


def _texts(found: list[Sentence]) -> list[str]:
    return [sentence.text for sentence in found]
