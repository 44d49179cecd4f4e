"""Support: how much of the model's probability a language left along each sentence."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from trellis.automata.codec import decode_language, encode_language
from trellis.automata.paths.walks import Walks
from trellis.automata.tokens.automaton import TokenAutomaton
from trellis.decoding.cursor import END, open_cursor
from trellis.decoding.hypotheses import score_options
from trellis.decoding.search import decode
from trellis.domain.models.decoding import Search, Sentence, Support
from trellis.engines.cached_scorer import CachedScorer
from unit.automata.kinds import vocabulary
from unit.automata.test_laws import language
from unit.automata.worlds import World
from unit.decoding.scorers import Dice, Rereading, interesting_worlds, model, prompt
from unit.decoding.test_search import every_search

WORLDS = pytest.mark.parametrize("world", interesting_worlds(), ids=str)


def measure_by_the_book(
    scorer: Rereading, machine: TokenAutomaton, start: tuple[int, ...], sentence: Sentence
) -> Support:
    """The support of a sentence, by reading its whole text anew before each choice."""
    support, cursor = Support(), open_cursor(machine, 512)
    ends = sorted(machine.vocabulary.ends)
    while cursor is not None:
        options = cursor.find_options()
        if len(options) > 1:
            logits = scorer.after(start + cursor.tokens).astype(np.float64)
            told = logits if machine.alphabet is None else logits[machine.alphabet]
            ids = [*options[options != END].tolist(), *(ends if END in options else ())]
            share = np.logaddexp.reduce(logits[ids]) - np.logaddexp.reduce(told)
            support = support.add_choice(float(share), len(cursor.tokens))
        if len(cursor.tokens) == len(sentence.tokens):
            return support
        cursor = cursor.advance(sentence.tokens[len(cursor.tokens)], 0.0, len(options) > 1)
    raise AssertionError("an empty language has no sentence")


@WORLDS
def test_it_is_the_share_of_all_probability_at_every_choice(world: World) -> None:
    machine = TokenAutomaton(language(world), vocabulary("bytes-500"))
    for found in decode(CachedScorer(model()), [prompt(1)], [machine], Search(width=20))[0]:
        expected = measure_by_the_book(Rereading(), machine, prompt(1), found)
        assert found.support is not None
        assert found.support.total == pytest.approx(expected.total, abs=1e-3)
        assert found.support.least == pytest.approx(expected.least, abs=1e-3)
        assert found.support.at == expected.at
        assert found.support.total <= found.support.least <= 0


@every_search
def test_every_way_to_search_tells_the_same(search: Search) -> None:
    for seed, world in enumerate(interesting_worlds()):
        machine = TokenAutomaton(language(world), vocabulary("bytes-500"))
        cool = replace(search, temperature=1.0)
        for found in decode(Dice(seed), [prompt(seed)], [machine], cool)[0]:
            expected = measure_by_the_book(Dice(seed), machine, prompt(seed), found)
            assert found.support is not None
            assert found.support.total == pytest.approx(expected.total, abs=1e-6)


def test_nothing_is_refused_where_everything_is_allowed() -> None:
    """A cursor whose alphabet is what it offers leaves the model all of its probability."""
    machine = TokenAutomaton(language(interesting_worlds()[0]), vocabulary("bytes-500"))
    cursor = open_cursor(machine, 512)
    assert cursor is not None
    offered = cursor.find_options()
    assert len(offered) > 1
    machine.alphabet = offered.astype(np.intp)
    scorer = Dice(1)
    scorer.begin([prompt(0)])
    assert score_options([cursor], scorer, 0, 1.0).shares[0] == pytest.approx(0.0, abs=1e-9)


def test_forced_tokens_refuse_nothing() -> None:
    for seed, world in enumerate(interesting_worlds(least=1, most=1)):
        machine = TokenAutomaton(language(world), vocabulary("bytes-500"))
        [found] = decode(Dice(seed), [prompt(seed)], [machine], Search())[0]
        assert (found.choices, found.support) == (0, Support())


def test_the_alphabet_travels_with_a_language() -> None:
    walks = language(interesting_worlds()[0])
    assert isinstance(walks, Walks)
    alphabet = (" ENT1", *(f" -> {kind}" for kind in walks.neighbourhood.relation_types))
    known = Walks(
        walks.neighbourhood,
        walks.starts,
        hops=walks.hops,
        revisit=walks.revisit,
        rendering=walks.rendering,
        meets=walks.meets,
        alphabet=alphabet,
    )
    there = decode_language(encode_language(known))
    assert isinstance(there, Walks)
    assert there.alphabet == alphabet
    machine = TokenAutomaton(there, vocabulary("bytes-500"))
    assert machine.alphabet is not None
    assert set(machine.vocabulary.ends) <= set(machine.alphabet.tolist())
