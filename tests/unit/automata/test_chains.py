"""Chains: what can be said is held against the definition, whole and as the graph grows."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chain_worlds import (
    ChainWorld,
    chain_world,
    is_well_formed,
    iterate_readings,
    list_named_chains,
    list_set_chains,
)
from trellis.automata.chains.opening import Chains
from trellis.automata.chains.pausing import pause_after
from trellis.automata.codec import decode_language, encode_language
from trellis.automata.codec.chains import encode_growth, extend_decoded
from trellis.automata.language import FreeText
from trellis.automata.reader import Reader, SentenceReading
from trellis.automata.tokens.automaton import TokenAutomaton
from trellis.domain.errors import CodecError
from unit.automata import laws
from unit.automata.kinds import LOSSLESS, vocabulary

law = laws.examples(60)
kinds = st.sampled_from(LOSSLESS)
Said = tuple[str, ...]


def list_sentences(language: Chains, state: Any = None, said: Said = ()) -> dict[Said, Any]:
    """All sentences as segments, each with the state at its end."""
    state = language.start() if state is None else state
    found = {said: state} if language.accepting(state) else {}
    moves = language.moves(state)
    for move in range(len(moves)):
        lead = (moves.lead,) if moves.lead else ()
        after = language.follow(state, move)
        found |= list_sentences(language, after, (*said, *lead, moves.texts[move]))
    return found


@law
@given(laws.seeds)
def test_chains_of_names_are_those_of_the_definition(seed: int) -> None:
    world = chain_world(seed, rendering="full")
    found = list_sentences(world.open())
    expected = list_named_chains(world)
    joined = {"".join(said) for said in expected}
    assert {"".join(said) for said in found} == joined
    for said, state in found.items():
        answers = {f"n{node}" for node in expected[said]}
        values = world.open().values(state)
        ends = {path.nodes[-1][0] for v in values for path in v.paths if path.steps}
        assert ends <= answers


@law
@given(laws.seeds)
def test_chains_of_sets_are_those_of_the_definition(seed: int) -> None:
    world = chain_world(seed, rendering="relations")
    language = world.open()
    found, expected = list_sentences(language), list_set_chains(world)
    assert set(found) == set(expected)
    numbers = {language.graph.find_number(f"n{i}"): i for i in range(len(world.names))}
    for said, state in found.items():
        reached = {numbers[node] for node in state.sets[state.at].nodes.tolist()}
        assert reached == expected[said]


@law
@given(laws.seeds)
def test_a_language_that_grew_is_one_built_whole(seed: int) -> None:
    world = chain_world(seed)
    whole, grown = world.open(), grow_all(world, world.open(hops=1))
    assert set(list_sentences(grown)) == set(list_sentences(whole))


def grow_all(world: ChainWorld, language: Chains, travelled: list[bytes] | None = None) -> Chains:
    """The language, extended by whatever any of its chains needs until none needs any more."""
    while needed := list_needed(language, language.start()):
        grown = world.grow(language, needed[:2])
        if travelled is not None:
            travelled.append(encode_growth(grown, grown.deltas[-1]))
        language = grown
    return language


def list_needed(language: Chains, state: Any) -> tuple[str, ...]:
    needed = dict.fromkeys(language.needs(state))
    moves = language.moves(state)
    for move in range(len(moves)):
        needed |= dict.fromkeys(list_needed(language, language.follow(state, move)))
    return tuple(needed)


@law
@given(laws.seeds)
def test_states_and_moves_stay_valid_as_it_grows(seed: int) -> None:
    world = chain_world(seed)
    language = world.open(hops=1)
    states = dict(list_states(language))
    before = {said: set(language.moves(s).texts) for said, s in states.items()}
    larger = grow_all(world, language)
    for said, state in states.items():
        assert before[said] == set(language.moves(state).texts)
        assert before[said] <= set(larger.moves(state).texts)
        if not language.needs(state) and not language.is_part_end(state):
            assert len(larger.moves(state)) >= len(before[said])
        assert larger.text(state) == language.text(state)


def list_states(language: Chains) -> Iterator[tuple[Said, Any]]:
    pending = [((), language.start())]
    while pending:
        said, state = pending.pop()
        yield said, state
        moves = language.moves(state)
        for move in range(len(moves)):
            pending.append(((*said, moves.text_of(move)), language.follow(state, move)))


@law
@given(laws.seeds)
def test_two_that_grew_from_one_do_not_disturb_each_other(seed: int) -> None:
    world = chain_world(seed)
    language = world.open(hops=1)
    before = set(list_sentences(language))
    one, other = grow_all(world, language), grow_all(world, language)
    assert set(list_sentences(one)) == set(list_sentences(other))
    assert set(list_sentences(language)) == before


@pytest.mark.slow
@law
@given(laws.seeds)
def test_it_travels_whole_and_growth_by_growth(seed: int) -> None:
    world, travelled = chain_world(seed), []
    first = world.open(hops=1)
    grown = grow_all(world, first, travelled)
    there = decode_language(encode_language(first))
    for growth in travelled:
        there = extend_decoded(there, growth)
    once = decode_language(encode_language(grown))
    said = set(list_sentences(grown))
    assert set(list_sentences(there)) == said
    assert set(list_sentences(once)) == said
    assert encode_language(once) == encode_language(grown)


@pytest.mark.parametrize("seed", range(20))
def test_a_growth_that_does_not_fit_is_refused(seed: int) -> None:
    world, travelled = chain_world(seed, most_triples=2), []
    first = world.open(hops=1)
    grow_all(world, first, travelled)
    there = decode_language(encode_language(first))
    if not travelled:
        return
    random = Random(seed)
    with pytest.raises(CodecError):
        extend_decoded(extend_decoded(there, travelled[0]), travelled[0])
    with pytest.raises(CodecError):
        extend_decoded(there, travelled[0][: random.randrange(len(travelled[0]))])
    with pytest.raises(CodecError):
        extend_decoded(there, encode_language(first))


@law
@given(laws.seeds, kinds, st.booleans())
def test_masks_distances_and_budgets(seed: int, kind: str, pauses: bool) -> None:
    language: Any = chain_world(seed).open()
    if language.is_empty():
        return
    automaton = TokenAutomaton(pause_after(language, 1) if pauses else language, vocabulary(kind))
    states = list(laws.walk_at_random(automaton, seed, 2, 24))
    laws.check_masks(automaton, states[::3], choose_few(automaton, seed))
    laws.check_distances(automaton, states[::4])
    laws.check_forced(automaton, states[::4])
    laws.check_offers(automaton, states[::6])


def choose_few(automaton: TokenAutomaton, seed: int) -> list[int]:
    return Random(seed).sample(range(automaton.vocabulary.size), 50)


@pytest.mark.parametrize("seed", range(6))
def test_thoughts_stand_between_triples_and_change_nothing_else(seed: int) -> None:
    plain, thoughtful = (
        chain_world(seed, rendering="full", thought_tokens=tokens).open() for tokens in (0, 40)
    )
    automaton = TokenAutomaton(thoughtful, vocabulary("bytes-500"))
    states = laws.walk_at_random(automaton, seed, 2, 12)
    laws.check_masks(automaton, states, choose_few(automaton, seed))
    reader: Reader[Any, Any] = Reader(thoughtful)
    for said, state in list(list_sentences(plain).items())[:5]:
        end = len(said) - 2
        text = "".join((*said[:end], " : so it is", *said[end:]))
        read = reader.read_text(text)
        assert isinstance(read, SentenceReading)
        assert set(plain.values(state)) <= set(read.values)


@law
@given(laws.seeds)
def test_a_sentence_reads_as_what_was_said(seed: int) -> None:
    world = chain_world(seed)
    language = world.open()
    reader: Reader[Any, Any] = Reader(language)
    said = list_sentences(language)
    for segments in Random(seed).sample(sorted(said), min(5, len(said))):
        read = reader.read_text("".join(segments))
        assert isinstance(read, SentenceReading)
        assert set(language.values(said[segments])) <= set(read.values)


@law
@given(laws.seeds)
def test_a_paused_sentence_is_a_part_of_whole_ones(seed: int) -> None:
    world = chain_world(seed, most_triples=2)
    language = world.open()
    whole = set(list_sentences(language))
    paused = list_sentences(pause_after(language, 1))
    begun = {said for said, state in paused.items() if language.is_part_end(state)}
    assert set(paused) - begun <= whole
    assert begun == {w[: len(b)] for w in whole for b in begun if w[: len(b)] == b}


@pytest.mark.parametrize("seed", range(300))
def test_no_random_sentence_is_ill_formed(seed: int) -> None:
    check_random_sentence(seed)


def check_random_sentence(seed: int) -> None:
    """A sentence at random in a language that grows as it is said: it is a well-formed chain."""
    random = Random(seed)
    world = chain_world(seed, rendering="full", most_triples=random.randint(1, 5))
    language = world.open(hops=1)
    state = language.start()
    if language.is_empty():
        return
    while not language.accepting(state):
        if needed := language.needs(state):
            language = world.grow(language, needed)
        moves = language.moves(state)
        assert not isinstance(moves, FreeText)
        state = language.follow(state, random.randrange(len(moves)))
    readings = list(iterate_readings(world, language.text(state)))
    assert any(is_well_formed(world, chain) for chain in readings)
