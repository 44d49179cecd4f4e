"""Beam search against one written by the book, which goes on until nothing is left to say."""

from __future__ import annotations

from itertools import product

import pytest

from trellis.automata.tokens.automaton import TokenAutomaton
from trellis.decoding.cursor import END, open_cursor
from trellis.decoding.search import decode
from trellis.domain.errors import InputError
from trellis.domain.models.decoding import Search, Sentence
from unit.automata.test_laws import sentences
from unit.decoding.scorers import Dice, Tokens, automaton, interesting_worlds, options, prompt


def ranked(search: Search, found: list[Sentence]) -> list[Sentence]:
    return sorted(found, key=lambda s: (-s.score / s.choices**search.length_penalty, s.tokens))


def patient(dice: Dice, machine: TokenAutomaton, start: Tokens, search: Search) -> list[Sentence]:
    """Groups of beams that choose one after the other, and never stop early."""
    count = (search.groups or search.width) if search.diversity else 1
    share = search.width // count
    live: list[list] = [[open_cursor(machine, search.max_tokens)], *([] for _ in range(count - 1))]
    finished: list[list[Sentence]] = [[] for _ in range(count)]
    while any(live):
        offers: list[list] = [[] for _ in range(count)]
        for g, beam in [(g, beam) for g, beams in enumerate(live) for beam in beams]:
            several = len(beam.find_options()) > 1
            for token, gain in options(dice, start, beam, search.temperature):
                if token == END:
                    finished[g].append(beam.finish_sentence(beam.score + gain, several))
                else:
                    offers[g].append((beam, token, beam.score + gain, several))
        said: list[int] = []
        held = set()
        for g in range(count):
            begun = live[g] or finished[g]
            free = offers[g] if begun else [o for other in offers for o in other]
            free = [o for o in free if (o[0].tokens, o[1]) not in held]
            free.sort(
                key=lambda o: (-(o[2] - search.diversity * said.count(o[1])), o[0].tokens, o[1])
            )
            took = free[:share]
            held |= {(o[0].tokens, o[1]) for o in took}
            said += [o[1] for o in took]
            after = [beam.advance(token, score, several) for beam, token, score, several in took]
            finished[g] += [
                beam.finish_sentence(beam.score, False) for beam in after if beam.is_ended
            ]
            live[g] = [beam for beam in after if not beam.is_ended]
    best = [s for found in finished for s in ranked(search, found)[:share]]
    rest = [s for found in finished for s in ranked(search, found)[share:]]
    return ranked(search, best + ranked(search, rest)[: search.width - len(best)])


@pytest.mark.slow
@pytest.mark.parametrize("spread", [0.0, 0.3, 3.0])
@pytest.mark.parametrize("length_penalty", [0.0, 0.5, 1.0, 2.0])
@pytest.mark.parametrize("kind", ["plain", "K beams", "two groups"])
def test_stopping_early_changes_nothing(kind: str, length_penalty: float, spread: float) -> None:
    for seed, world in enumerate(interesting_worlds(20, 8, 60)):
        longest = max(map(len, sentences(automaton(world))))
        for width, max_tokens in product((1, 2, 3, 4, 8), (longest - 1, 256)):
            if kind == "two groups" and width % 2:
                continue
            search = Search(
                width=width,
                max_tokens=max_tokens,
                length_penalty=length_penalty,
                diversity=0.0 if kind == "plain" else 0.8,
                groups=2 if kind == "two groups" else 0,
            )
            dice, machine = Dice(seed, spread), automaton(world)
            expected = patient(dice, machine, prompt(seed), search)
            [found] = decode(dice, [prompt(seed)], [machine], search)
            assert [s.tokens for s in found] == [s.tokens for s in expected]
            assert [s.score for s in found] == pytest.approx([s.score for s in expected])
            assert [s.choices for s in found] == [s.choices for s in expected]


@pytest.mark.parametrize(
    "search",
    [Search(width=2, diversity=3.0), Search(width=4, diversity=3.0, groups=2)],
    ids=str,
)
def test_a_group_that_can_win_no_more_still_keeps_later_ones_off_its_tokens(search: Search) -> None:
    for seed in (7, 11, 12, 18, 20):
        for world in interesting_worlds(8, 15, 60, hops=3):
            dice, machine = Dice(seed, 3.0), automaton(world)
            [found] = decode(dice, [prompt(0)], [machine], search)
            expected = patient(dice, machine, prompt(0), search)
            assert [s.tokens for s in found] == [s.tokens for s in expected]


@pytest.mark.slow
@pytest.mark.parametrize(
    "search",
    [
        Search(width=3),
        Search(width=3, diversity=0.5),
        Search(width=1, length_penalty=0.25),
        Search(width=1, length_penalty=1.0),
    ],
    ids=str,
)
def test_the_model_is_not_asked_about_beams_that_can_win_no_more(search: Search) -> None:
    read, patiently = 0, 0
    for seed, world in enumerate(interesting_worlds(16, 20, 60)):
        one, other = Dice(seed, 5.0), Dice(seed, 5.0)
        decode(one, [prompt(0)], [automaton(world)], search)
        patient(other, automaton(world), prompt(0), search)
        assert one.texts() <= other.texts()
        read, patiently = read + one.texts(), patiently + other.texts()
    assert read < patiently


def test_no_narrow_beam_stops_before_its_best_sentence() -> None:
    """What a beam of width 1 finishes is never worse than what greedy decoding finds."""
    for i, world in enumerate(interesting_worlds()):
        [[greedy]] = decode(Dice(i), [prompt(i)], [automaton(world)], Search(mode="greedy"))
        [[best]] = decode(Dice(i), [prompt(i)], [automaton(world)], Search(width=1))
        assert best.score >= greedy.score - 1e-5


def test_one_group_is_plain_beam_search() -> None:
    for i, world in enumerate(interesting_worlds()):
        plain, grouped = (
            decode(Dice(i), [prompt(i)], [automaton(world)], search)
            for search in (Search(width=4), Search(width=4, diversity=2.0, groups=1))
        )
        assert plain == grouped


def test_beams_of_their_own_lose_no_sentence_where_there_is_room_for_all() -> None:
    for i, world in enumerate(interesting_worlds(12)):
        every = set(sentences(automaton(world)))
        for diversity in (0.1, 5.0):
            search = Search(width=len(every), diversity=diversity)
            [found] = decode(Dice(i), [prompt(i)], [automaton(world)], search)
            assert {s.tokens for s in found} == every


def test_diverse_beams_begin_differently_where_plain_ones_do_not() -> None:
    """λ is worth more than any probability here, so tokens repeat only where they have to."""
    fewer = 0
    for seed, world in enumerate(interesting_worlds(12, 10, 60)):
        machine = automaton(world)
        first = open_cursor(machine, 256)
        assert first is not None
        at, offered = len(first.tokens), {int(token) for token in first.find_options()} - {END}
        begun = {}
        for diversity in (0.0, 50.0):
            search = Search(width=len(offered), diversity=diversity)
            [found] = decode(Dice(seed, 3.0), [prompt(0)], [machine], search)
            begun[diversity] = {s.tokens[at] for s in found if len(s.tokens) > at}
        assert begun[50.0] == offered
        fewer += begun[0.0] < offered
    assert fewer


@pytest.mark.parametrize("margin", [0.5, 2.0, 50.0])
def test_what_is_further_below_the_best_than_the_margin_is_not_looked_for(margin: float) -> None:
    for seed, world in enumerate(interesting_worlds(20, 8, 60)):
        machine, start = automaton(world), prompt(seed % 3)
        whole = decode(Dice(seed), [start], [machine], Search(width=200))[0]
        near = decode(Dice(seed), [start], [machine], Search(width=200, margin=margin))[0]
        kept = {s.tokens: s.score for s in near}
        for sentence in whole:
            if sentence.score >= whole[0].score - margin:
                assert kept[sentence.tokens] == pytest.approx(sentence.score)
        assert len(near) <= len(whole)


def test_a_margin_is_for_one_plain_beam_search() -> None:
    for other in ({"mode": "greedy"}, {"diversity": 1.0}, {"length_penalty": 1.0}):
        with pytest.raises(InputError, match="margin"):
            Search(margin=1.0, **other)  # type: ignore[arg-type]
