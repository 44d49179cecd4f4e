"""Assertions: what can be said is held against the definition, and what was said is read again."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hostile_languages import some_assertions
from trellis.automata.assertions.language import AssertionLanguage
from trellis.automata.assertions.writing import write_decomposition
from trellis.automata.codec import decode_language, encode_language
from trellis.automata.patterns.words import PatternWords
from trellis.automata.question_spans import list_span_texts
from trellis.automata.reader import Departure, Reader, SentenceReading
from trellis.automata.tokens.automaton import TokenAutomaton
from trellis.domain.errors import InputError
from trellis.domain.structures.decompositions import Assertion, Decomposition
from unit.automata import laws
from unit.automata.kinds import LOSSLESS, vocabulary

law = laws.examples(60)
kinds = st.sampled_from(LOSSLESS)
FREE = PatternWords(free_tokens=8)


def with_room(language: AssertionLanguage) -> AssertionLanguage:
    """The same language, with room for words that fall into bytes."""
    words = PatternWords(free_tokens=64) if language.words.are_free else language.words
    return AssertionLanguage(language.mentions, words, most_assertions=language.most_assertions)


@pytest.mark.slow
@law
@given(laws.seeds, kinds)
def test_what_training_spells_is_accepted_and_means_what_was_said(seed: int, kind: str) -> None:
    laws.check_spelling(with_room(some_assertions(seed)), vocabulary(kind), seed)


@law
@given(laws.seeds)
def test_a_sentence_reads_as_what_was_said_and_is_written_again(seed: int) -> None:
    language = some_assertions(seed)
    for more in range(3):
        said, segments = laws.say_at_random(language, Random(seed + more))
        [meant] = language.values(said)
        read = Reader(language).read_text("".join(segments))
        assert isinstance(read, SentenceReading)
        assert meant in read.values
        assert list(write_decomposition(language, meant)) == segments


@law
@given(laws.seeds)
def test_every_decomposition_is_sound(seed: int) -> None:
    language = some_assertions(seed)
    said, _ = laws.say_at_random(language, Random(seed))
    [meant] = language.values(said)
    assert 1 <= len(meant.assertions) <= language.most_assertions
    assert len(set(meant.assertions)) == len(meant.assertions)
    assert all(subject != other for subject, other in meant.pairs)
    order = list(dict.fromkeys(entity for pair in meant.pairs for entity in pair))
    unknown = [entity for entity in order if entity >= language.mentions]
    assert unknown == list(range(language.mentions, language.mentions + len(unknown)))
    assert meant.asked in unknown
    reached = {*meant.pairs[0]}
    for pair in meant.pairs[1:]:
        assert reached & {*pair}
        reached |= {*pair}


def list_texts(mentions: int, words: list[str], most: int) -> set[str]:
    """All sentences by the definition alone."""
    found: set[str] = set()

    def said_as(entity: int) -> str:
        unknown = entity - mentions + 1
        return f"[ENT{unknown}]" if unknown > 0 else f'"ENT{entity + 1}"'

    def is_next(entity: int, known: list[int]) -> bool:
        fresh = mentions + sum(e >= mentions for e in known)
        return entity in known or entity < mentions or entity == fresh

    def go_on(text: str, known: list[int], said: list[tuple]) -> None:
        unknown = [entity for entity in known if entity >= mentions]
        for asked in unknown:
            for strategy in ("precision", "breadth"):
                found.add(f"{text} ? {said_as(asked)} {strategy}")
        if len(said) == most:
            return
        for subject in range(mentions + 2 * most):
            if not is_next(subject, known):
                continue
            with_subject = known if subject in known else [*known, subject]
            for other in range(mentions + 2 * most):
                if other == subject or not is_next(other, with_subject):
                    continue
                if said and subject not in known and other not in known:
                    continue
                after = with_subject if other in with_subject else [*with_subject, other]
                if len(said) + 1 == most and max(after) < mentions:
                    continue
                for word in words:
                    if (subject, word, other) not in said:
                        more = f" {said_as(subject)} {word} {said_as(other)}"
                        begun = f"{text} ;" if said else text
                        go_on(begun + more, after, [*said, (subject, word, other)])

    go_on("", [], [])
    return found


@pytest.mark.parametrize(
    ("mentions", "words", "most"), [(0, ["r"], 3), (1, ["r", "s"], 2), (2, ["r"], 2), (3, ["r"], 1)]
)
def test_the_language_is_what_brute_force_says(mentions: int, words: list[str], most: int) -> None:
    language = AssertionLanguage(mentions, PatternWords(tuple(words)), most_assertions=most)
    assert {state.text for state in laws.list_end_states(language)} == list_texts(
        mentions, words, most
    )


@pytest.mark.slow
@laws.examples(20)
@given(laws.seeds)
def test_an_accepting_state_is_reached_within_distance(seed: int) -> None:
    automaton = TokenAutomaton(some_assertions(seed, are_free=False), vocabulary("bytes-500"))
    laws.check_distances(automaton, laws.wander(automaton, seed))


@laws.examples(6)
@given(laws.seeds)
def test_a_token_is_offered_if_a_sentence_ends_in_time(seed: int) -> None:
    automaton = TokenAutomaton(some_assertions(seed, are_free=False), vocabulary("bytes-500"))
    laws.check_offers(automaton, [*laws.wander(automaton, seed)][::6])


@pytest.mark.slow
@laws.examples(25)
@given(laws.seeds, kinds)
def test_a_bit_is_set_if_and_only_if_advance_succeeds(seed: int, kind: str) -> None:
    automaton = TokenAutomaton(with_room(some_assertions(seed)), vocabulary(kind))
    tried = laws.choose_tokens(automaton.vocabulary, seed, 100)
    laws.check_masks(automaton, [*laws.wander(automaton, seed)][::6], tried)


@law
@given(laws.seeds)
def test_a_language_that_travelled_says_the_same(seed: int) -> None:
    here = some_assertions(seed)
    there = decode_language(encode_language(here))
    for more in range(3):
        said, segments = laws.say_at_random(here, Random(seed + more))
        read = Reader(there).read_text("".join(segments))
        assert isinstance(read, SentenceReading)
        assert {*here.values(said)} <= {*read.values}


STEPS = """
"ENT1"                                      | WORDS
"ENT1" was led by                           | was led by "ENT2", was led by [ENT1], WORDS
"ENT1" was led by [ENT1]                    |  ;,  ?
"ENT1" was led by "ENT2"                    |  ;
"ENT1" was led by "ENT2" ;                  |  "ENT1",  "ENT2",  [ENT1]
"ENT1" was led by [ENT1] ;                  |  "ENT1",  "ENT2",  [ENT1],  [ENT2]
"ENT1" is [ENT1] ; [ENT2] is                | is "ENT1", is [ENT1], WORDS
"ENT1" is [ENT1] ; "ENT1" is                | is "ENT2", is [ENT2], WORDS
"ENT1" is [ENT1] ; [ENT1] was born in [ENT2] |  ?
"ENT1" is [ENT1] ; [ENT1] was born in [ENT2] ? |  [ENT1],  [ENT2]
"ENT1" is [ENT1] ? [ENT1]                   |  precision,  breadth
"ENT1" is [ENT1] ? [ENT1] breadth           | END
"""
"""What is said, and all that can come next, of two mentions, any words, and at most two assertions.
An assertion is not said twice; the last one brings an unknown entity where there was none; behind
`;` one of the two entities was said before."""


@pytest.mark.parametrize("line", STEPS.strip().splitlines())
def test_what_can_come_next_is_told(line: str) -> None:
    laws.check_next_moves(AssertionLanguage(2, FREE, most_assertions=2), line)


def test_a_decomposition_is_read_in_the_questions_own_words() -> None:
    spans = list_span_texts("who wrote the films that ENT1 directed", 2)
    language = AssertionLanguage(1, PatternWords((), spans))
    text = '"ENT1" directed [ENT1] ; [ENT2] wrote [ENT1] ? [ENT2] breadth'
    found = Reader(language).read_text(text)
    assert isinstance(found, SentenceReading)
    [meant] = found.values
    assert meant == Decomposition(
        1, (Assertion(0, "directed", 1), Assertion(2, "wrote", 1)), 2, "breadth"
    )
    assert (meant.has_mention, meant.text) == (True, text.partition(" ?")[0])
    assert isinstance(Reader(language).read_text(text.replace("wrote", "loves")), Departure)


def test_without_words_nothing_is_said() -> None:
    silent = AssertionLanguage(1, PatternWords())
    assert silent.is_empty()
    automaton = TokenAutomaton(silent, vocabulary("bytes-500"))
    assert not len(automaton.allowed_tokens(automaton.start()))


ONE = Assertion(0, "r", 1)


@pytest.mark.parametrize(
    ("assertions", "asked", "problem"),
    [
        ((), 1, "0 assertions"),
        (tuple(Assertion(0, f"r{i}", 1) for i in range(6)), 1, "6 assertions"),
        ((Assertion(1, "r", 1),), 1, "one entity alone"),
        ((ONE, ONE), 1, "says one twice"),
        ((ONE, Assertion(2, "r", 3)), 1, "not joined"),
        ((ONE,), 0, "asks for no unknown"),
        ((ONE,), 5, "asks for no unknown"),
        ((Assertion(0, "a ; b", 1),), 1, "cannot be said"),
        ((Assertion(0, "two  spaces", 1),), 1, "cannot be said"),
    ],
)
def test_what_cannot_be_said_is_refused_with_the_reason(
    assertions: tuple[Assertion, ...], asked: int, problem: str
) -> None:
    with pytest.raises(InputError, match=problem):
        write_decomposition(
            AssertionLanguage(1, FREE), Decomposition(1, assertions, asked, "precision")
        )


@pytest.mark.parametrize(("mentions", "most"), [(-1, 3), (1, 0), (1, 6)])
def test_numbers_out_of_range_are_refused(mentions: int, most: int) -> None:
    with pytest.raises(InputError, match="give 0 or more mentions, and 1 to 5"):
        AssertionLanguage(mentions, FREE, most_assertions=most)
