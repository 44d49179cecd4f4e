"""Laws of every token automaton, checked from some of its states on."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from random import Random
from typing import Any

import numpy as np
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from trellis.automata.language import FreeText
from trellis.automata.reader import END, WORDS, Departure, Reader
from trellis.automata.tokens.automaton import TokenAutomaton
from trellis.automata.tokens.masks import unpack_mask
from trellis.automata.tokens.vocabulary import TokenizerVocabulary

seeds = st.integers(0, 2**32)


def examples(count: int) -> settings:
    """So many examples of a law, the same ones in each run."""
    return settings(
        max_examples=count, suppress_health_check=[HealthCheck.too_slow], derandomize=True
    )


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


def check_masks(automaton: TokenAutomaton, states: Iterable[Any], tried: Collection[int]) -> None:
    """A bit is set if and only if the automaton advances, of what is set and of tokens to try."""
    for state in states:
        mask = automaton.allow(state)
        assert mask.dtype == np.int32
        assert len(mask) == automaton.vocabulary.size // 32
        allowed = set(unpack_mask(mask).tolist())
        assert sorted(allowed) == automaton.allowed_tokens(state).tolist()
        for token in (allowed if len(allowed) < 1_000 else set()) | {*tried}:
            assert (automaton.advance(state, token) is not None) == (token in allowed)


def choose_tokens(words: TokenizerVocabulary, seed: int, count: int) -> Collection[int]:
    """All tokens of a small vocabulary; of a large one some, and the last, which are added ones."""
    every = range(words.size)
    return every if words.size < 1_000 else [*Random(seed).sample(every, count), *every[-80:]]


def check_spelling(language: Any, words: TokenizerVocabulary, seed: int) -> None:
    """A random sentence as training spells it is accepted, and means what was said."""
    automaton = TokenAutomaton(language, words)
    said, segments = say_at_random(language, Random(seed))
    state = follow_tokens(automaton, spell(words, segments))
    assert automaton.accepting(state)
    assert automaton.text(state) == "".join(segments) == said.text
    assert set(language.values(said)) <= set(automaton.values(state))


def check_next_moves(language: Any, line: str) -> None:
    """A line of a table: what is said, and all that can come next; `WORDS`: any words."""
    said, listed = (part.strip(" ") for part in line.split("|"))
    found = Reader(language, choices=50).read_text(f"{said} \x00")
    assert isinstance(found, Departure)
    named = {WORDS: "WORDS", END: "END"}
    expected = {t if t in named.values() else f" {t.strip()}" for t in listed.split(", ")}
    assert {named.get(text, text) for text in found.alternatives} == expected


def spell(words: TokenizerVocabulary, segments: Iterable[str]) -> tuple[int, ...]:
    """The tokens of a sentence, segment by segment, as training spells it."""
    return tuple(token for segment in segments for token in words.encode(segment))


def follow_tokens(automaton: TokenAutomaton, tokens: Iterable[int], state: Any = None) -> Any:
    """The state behind some tokens, from the start or another state; None: they are refused."""
    state = automaton.start() if state is None else state
    for token in tokens:
        state = automaton.advance(state, token)
    return state


def list_end_states(language: Any) -> list[Any]:
    """The states of all sentences of a language without free text."""
    found, pending = [], [language.start()]
    while pending:
        state = pending.pop()
        if language.accepting(state):
            found.append(state)
        after = (language.follow(state, i) for i in range(len(language.moves(state))))
        pending += [state for state in after if state is not None]
    return found


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
        for token in spell(automaton.vocabulary, segments):
            yield state
            state = automaton.advance(state, token)
        yield state


def walk_at_random(automaton: TokenAutomaton, seed: int, ways: int, steps: int) -> Iterator[Any]:
    """The states of a few random ways through the automaton, wherever they lead."""
    random = Random(seed)
    for _ in range(ways):
        state = automaton.start()
        for _ in range(steps):
            yield state
            tokens = automaton.allowed_tokens(state)
            if not len(tokens):
                break
            state = automaton.advance(state, int(random.choice(tokens)))
