"""The laws of the core hold for Cypher, over random schemas and tokenizers."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from random import Random

import pytest
from hypothesis import given

from bench.made.cypher_sentences import make_random_sentence
from trellis.automata.cypher.language import CypherLanguage
from trellis.automata.cypher.state import CypherState
from trellis.automata.reader import Reader, SentenceReading
from trellis.automata.tokens.automaton import TokenAutomaton
from trellis.automata.tokens.tries import SiteTries
from unit.automata import laws
from unit.automata.cypher.schemas import (
    SchemaWorld,
    every_sentence,
    schema_worlds,
    small_worlds,
)
from unit.automata.kinds import LOSSLESS, vocabulary
from unit.automata.test_laws import kinds, law, sentences, spelled

_MOST = 400
"""Languages of more sentences are not listed."""


def automaton_of(world: SchemaWorld, kind: str) -> TokenAutomaton:
    return TokenAutomaton(world.language(), vocabulary(kind))


@pytest.mark.slow
@law
@given(small_worlds(), kinds)
def test_the_token_language_is_every_sentence_spelled(world: SchemaWorld, kind: str) -> None:
    language = world.language()
    said = list(islice(every_sentence(language), _MOST + 1))
    if len(said) > _MOST:
        return
    expected: dict = {}
    for moves, state in said:
        expected.setdefault(spelled(moves, kind), set()).update(language.values(state))
    found = sentences(automaton_of(world, kind), 100_000)
    assert set(found) == set(expected)
    for tokens, values in found.items():
        assert set(values) == expected[tokens]


@pytest.mark.slow
@law
@given(schema_worlds(), kinds, laws.seeds)
def test_a_sentence_says_what_was_spelled(world: SchemaWorld, kind: str, seed: int) -> None:
    language = world.language()
    if language.is_empty():
        return
    moves, state = make_random_sentence(language, Random(seed))
    tokens = spelled(moves, kind)
    automaton = TokenAutomaton(language, vocabulary(kind))
    ended = laws.follow_tokens(automaton, tokens)
    assert automaton.accepting(ended)
    assert set(language.values(state)) <= set(automaton.values(ended))
    assert language.text(state) == "".join(moves)
    if kind in LOSSLESS:
        assert automaton.text(ended) == vocabulary(kind).decode(tokens) == "".join(moves)


@pytest.mark.slow
@law
@given(schema_worlds(), kinds, laws.seeds)
def test_a_bit_of_cypher_is_set_if_and_only_if_advance_succeeds(
    world: SchemaWorld, kind: str, seed: int
) -> None:
    words = vocabulary(kind)
    automaton = automaton_of(world, kind)
    tried = Random(seed).sample(range(words.size), 100)
    laws.check_masks(automaton, laws.walk_at_random(automaton, seed, 3, 20), tried)


@pytest.mark.slow
@law
@given(schema_worlds(), kinds, laws.seeds)
def test_a_query_can_always_be_ended_within_distance(
    world: SchemaWorld, kind: str, seed: int
) -> None:
    automaton = automaton_of(world, kind)
    if world.language().is_empty():
        assert not len(automaton.allowed_tokens(automaton.start()))
        return
    steps = 6 if world.options.is_wide else 30
    laws.check_distances(automaton, laws.walk_at_random(automaton, seed, 3, steps))


@pytest.mark.slow
@law
@given(schema_worlds(), kinds, laws.seeds)
def test_a_token_of_cypher_is_offered_if_its_query_ends_in_time(
    world: SchemaWorld, kind: str, seed: int
) -> None:
    if world.language().is_empty():
        return
    automaton = automaton_of(world, kind)
    laws.check_offers(automaton, laws.walk_at_random(automaton, seed, 3, 12))


@pytest.mark.slow
@law
@given(schema_worlds(), kinds, laws.seeds)
def test_forced_tokens_of_cypher_are_the_only_ones(
    world: SchemaWorld, kind: str, seed: int
) -> None:
    automaton = automaton_of(world, kind)
    laws.check_forced(automaton, laws.walk_at_random(automaton, seed, 3, 20))


@pytest.mark.slow
@law
@given(schema_worlds(), kinds, laws.seeds)
def test_tries_shared_by_languages_change_nothing(world: SchemaWorld, kind: str, seed: int) -> None:
    shared = SiteTries()
    for _ in range(2):
        other = TokenAutomaton(world.language(), vocabulary(kind), shared)
        alone = automaton_of(world, kind)
        ways = (laws.walk_at_random(each, seed, 3, 60) for each in (alone, other))
        for one, two in zip(*ways, strict=True):
            assert alone.allowed_tokens(one).tolist() == other.allowed_tokens(two).tolist()
    assert shared.figures.hits >= shared.figures.misses > 0


@pytest.mark.slow
@law
@given(schema_worlds(), laws.seeds)
def test_moves_of_one_site_differ_and_equal_sites_have_equal_moves(
    world: SchemaWorld, seed: int
) -> None:
    language = world.language()
    seen: dict = {}
    random = Random(seed)
    state = language.start()
    for _ in range(60):
        texts = list(language.moves(state).texts)
        assert len(set(texts)) == len(texts)
        assert all(texts)
        assert seen.setdefault(language.site(state), texts) == texts
        assert texts or language.accepting(state) or language.is_empty()
        state = language.follow(state, random.randrange(len(texts))) if texts else language.start()
        if language.is_empty():
            return
        assert state is not None


@pytest.mark.slow
@law
@given(schema_worlds(), laws.seeds)
def test_a_sentence_reads_as_what_it_was_said_for(world: SchemaWorld, seed: int) -> None:
    language = world.language()
    if language.is_empty():
        return
    _, state = make_random_sentence(language, Random(seed))
    reading = Reader(language).read_text(language.text(state))
    assert isinstance(reading, SentenceReading)
    assert set(language.values(state)) <= set(reading.values)


@pytest.mark.slow
@law
@given(schema_worlds(), laws.seeds)
def test_behind_every_move_the_end_is_as_near_as_reserve_says(
    world: SchemaWorld, seed: int
) -> None:
    language = world.language()
    if language.is_empty():
        return
    moves, _ = make_random_sentence(language, Random(seed))
    state, ends = language.start(), 0
    for move in moves:
        size, segments = language.reserve(state)
        state = followed(language, state, move)
        left = shortest(language, state)
        assert len(left) <= segments
        assert sum(len(text.encode()) for text in left) <= size
        ends += language.accepting(state)
    assert ends


def followed(language: CypherLanguage, state: CypherState, text: str) -> CypherState:
    following = language.follow(state, list(language.moves(state).texts).index(text))
    assert following is not None
    return following


def shortest(language: CypherLanguage, state: CypherState) -> tuple[str, ...]:
    """Few moves with which a sentence can end: of each site the first and the last are tried."""
    level: list[tuple[tuple[str, ...], CypherState]] = [((), state)]
    while True:
        for said, at in level:
            if language.accepting(at):
                return said
        level = [
            ((*said, text), followed(language, at, text))
            for said, at in level
            for text in ends_of(language.moves(at).texts)
        ]


def ends_of(texts: Sequence[str]) -> Sequence[str]:
    return list(dict.fromkeys((*texts[:1], *texts[-1:])))
