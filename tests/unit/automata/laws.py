"""Laws of every token automaton, checked from some of its states on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from random import Random
from typing import Any

from trellis.automata.automaton import TokenAutomaton
from trellis.automata.language import FreeText


def check_distances(automaton: TokenAutomaton, states: Iterable[Any]) -> None:
    """An accepting state is reached within `distance`, and no sooner."""
    for state in states:
        left = automaton.distance(state)
        assert (left == 0) == automaton.accepting(state)
        after = [automaton.advance(state, int(t)) for t in automaton.allowed_tokens(state)]
        if left:
            assert min(map(automaton.distance, after)) == left - 1


def check_offers(automaton: TokenAutomaton, states: Iterable[Any]) -> None:
    """A token is offered within a budget if and only if a sentence with it ends in time."""
    for state in states:
        lasts = {
            int(t): 1 + automaton.distance(automaton.advance(state, int(t)))
            for t in automaton.allowed_tokens(state)
        }
        for budget in {*lasts.values(), *(n - 1 for n in lasts.values()), 0, 1_000}:
            fitting = automaton.allowed_within(state, budget).tolist()
            assert fitting == [t for t, last in lasts.items() if last <= budget]


def check_forced(automaton: TokenAutomaton, states: Iterable[Any]) -> None:
    """Forced tokens are the only ones, and all of them."""
    for began in states:
        run, ended = automaton.forced(began)
        state = began
        for token in run:
            assert not automaton.accepting(state)
            assert automaton.allowed_tokens(state).tolist() == [token]
            state = automaton.advance(state, token)
        assert state == ended
        assert automaton.accepting(state) or len(automaton.allowed_tokens(state)) != 1


def say_at_random(language: Any, random: Random) -> tuple[Any, list[str]]:
    """A random whole sentence, as its state and its segments."""
    state, segments = language.start(), []
    while True:
        moves = language.moves(state)
        if language.accepting(state) and (random.random() < 0.3 or not len(moves)):
            return state, segments
        if isinstance(moves, FreeText):
            text = random.choice(("directed by", "r", "co-starred with", "日本 é"))
            state = language.follow_text(state, text)
            segments.append(moves.lead + text)
        else:
            gone = set(language.list_excluded_moves(state))
            move = random.choice([i for i in range(len(moves)) if i not in gone])
            segments += [*filter(None, [moves.lead]), moves.texts[move]]
            state = language.follow(state, move)


def wander(automaton: TokenAutomaton, seed: int) -> Iterator[Any]:
    """The states of two random sentences, as they are spelled."""
    random = Random(seed)
    for _ in range(2):
        state = automaton.start()
        _, segments = say_at_random(automaton.language, random)
        for token in (t for segment in segments for t in automaton.vocabulary.encode(segment)):
            yield state
            state = automaton.advance(state, token)
        yield state
