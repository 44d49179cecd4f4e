"""Searches where sentences have several spellings: each sentence is found once."""

from __future__ import annotations

from collections import defaultdict

import pytest

from trellis.automata.tokens.automaton import TokenAutomaton
from trellis.decoding.search import decode
from trellis.domain.models.decoding import Mode, Search
from unit.automata.remarks import Remarks, tiny_vocabulary
from unit.decoding.scorers import Dice, by_the_book

BUDGET = 40


def spellings(dice: Dice, machine: TokenAutomaton) -> dict[str, list[float]]:
    """Every sentence with the scores of its spellings, best first."""
    found = defaultdict(list)
    for tokens, score in by_the_book(dice, machine, (1,), BUDGET).items():
        state = machine.start()
        for token in tokens:
            state = machine.advance(state, token)
        found[machine.text(state).strip()].append(score)
    return {text: sorted(scores, reverse=True) for text, scores in found.items()}


@pytest.mark.parametrize("seed", range(5))
def test_a_wide_search_finds_each_sentence_once(seed: int) -> None:
    dice, machine = Dice(seed), TokenAutomaton(Remarks(2), tiny_vocabulary())
    known = spellings(dice, machine)
    assert any(len(scores) > 1 for scores in known.values())
    search = Search(width=10_000, max_tokens=BUDGET)
    [found] = decode(dice, [(1,)], [machine], search)
    assert len(found) == len({sentence.text for sentence in found}) == len(known)
    for sentence in found:
        assert any(sentence.score == pytest.approx(score) for score in known[sentence.text])
    once = [sentence for sentence in found if len(known[sentence.text]) == 1]
    assert once
    assert [s.score for s in found] == sorted((s.score for s in found), reverse=True)


@pytest.mark.parametrize("mode", ["beam", "sample", "stochastic_beam", "greedy"])
@pytest.mark.parametrize("diversity", [0.0, 0.7])
@pytest.mark.parametrize("width", [1, 4, 30])
def test_no_search_finds_a_sentence_twice(mode: Mode, diversity: float, width: int) -> None:
    if diversity and mode != "beam":
        return
    for seed in range(5):
        dice, machine = Dice(seed), TokenAutomaton(Remarks(3), tiny_vocabulary())
        search = Search(mode, width, 24, seed=seed, diversity=diversity)
        [found] = decode(dice, [(1,)], [machine], search)
        assert found
        assert len({sentence.text for sentence in found}) == len(found)
        for sentence in found:
            assert len(sentence.tokens) <= 24
            assert sentence.values[0].strip() == sentence.text
