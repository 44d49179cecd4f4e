"""The laws of the core for free text, over real tokenizers and one that can be gone through."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trellis.automata.language import FreeText
from trellis.automata.patterns.language import PatternLanguage
from trellis.automata.patterns.state import PatternState
from trellis.automata.patterns.words import PatternWords
from trellis.automata.reader import END, WORDS, Departure, Reader, SentenceReading
from trellis.automata.tokens.automaton import TokenAutomaton
from trellis.automata.tokens.characters import Characters
from trellis.automata.tokens.free_tokens import GAP, WORD
from trellis.automata.tokens.vocabulary import TokenizerVocabulary
from trellis.domain.errors import InputError
from unit.automata import laws
from unit.automata.kinds import KINDS, LOSSLESS, SPECIAL, vocabulary
from unit.automata.remarks import TEXT, Remarks, list_sentences, tiny_vocabulary

law = laws.examples(20)
kinds = st.sampled_from(KINDS)
small_kinds = st.sampled_from(("tiny", "bytes-500", "merging-500"))
limits = st.integers(2, 6)


def words_of(kind: str) -> TokenizerVocabulary:
    return tiny_vocabulary() if kind == "tiny" else vocabulary(kind)


def wander(automaton: TokenAutomaton, seed: int, ways: int = 3) -> Iterator:
    """The states of random ways to an end; what lies behind a text is as likely as its going on."""
    random = Random(seed)
    for _ in range(ways):
        state, budget = automaton.start(), 60
        while True:
            yield state
            tokens = automaton.allowed_within(state, budget)
            if not len(tokens):
                break
            behind = automaton.allowed_within(tuple(r for r in state if not r[1][2]), budget)
            if len(behind) and random.random() < 0.5:
                tokens = behind
            state, budget = automaton.advance(state, int(random.choice(tokens))), budget - 1


@pytest.mark.parametrize(("most", "longest"), [(2, 11), (3, 8)])
@pytest.mark.parametrize("apart", [(), ("a", "é"), ("a", "ab", "b")])
def test_the_token_language_is_what_brute_force_says(
    most: int, longest: int, apart: tuple[str, ...]
) -> None:
    spoken = Remarks(most, apart)
    automaton = TokenAutomaton(spoken, tiny_vocabulary())
    found = {}
    stack = [((), automaton.start())]
    while stack:
        tokens, state = stack.pop()
        if automaton.accepting(state):
            found[tokens] = automaton.values(state)
            assert (automaton.text(state),) == automaton.values(state)
        for token in automaton.allowed_within(state, longest - len(tokens)):
            stack.append(((*tokens, int(token)), automaton.advance(state, int(token))))
    assert found == {t: (text,) for t, text in list_sentences(spoken, longest).items()}


@pytest.mark.slow
@law
@given(kinds, limits, laws.seeds)
def test_a_bit_is_set_if_and_only_if_advance_succeeds(kind: str, most: int, seed: int) -> None:
    words = words_of(kind)
    automaton = TokenAutomaton(Remarks(most + 2), words)
    laws.check_masks(automaton, wander(automaton, seed, 1), laws.choose_tokens(words, seed, 300))


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_no_special_token_is_inside_free_text(kind: str) -> None:
    words = words_of(kind)
    special = {words._tokenizer.token_to_id(text) for text in (*SPECIAL, "<unk>")} - {None}
    tokens = words.free_tokens(frozenset())
    behind = {int(c) for at in (WORD, GAP) for c in tokens.list_options(at, 9).after}
    for condition in {WORD, GAP, *sorted(behind)[:30]}:
        options = tokens.list_options(condition, 9)
        assert not np.isin([*special, *words.ends], options.tokens).any()
    assert len(tokens.list_options(WORD, 9).tokens) > words.size / 2


@pytest.mark.slow
@law
@given(small_kinds, limits, laws.seeds)
def test_an_accepting_state_is_reached_within_distance(kind: str, most: int, seed: int) -> None:
    automaton = TokenAutomaton(Remarks(most), words_of(kind))
    laws.check_distances(automaton, wander(automaton, seed, 2))


@pytest.mark.slow
@law
@given(small_kinds, limits, laws.seeds)
def test_a_token_is_offered_if_a_sentence_ends_in_time(kind: str, most: int, seed: int) -> None:
    automaton = TokenAutomaton(Remarks(most), words_of(kind))
    laws.check_offers(automaton, wander(automaton, seed, 1))


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["bytes-128000", "sentencepiece-32000", "wordpiece-32000"])
def test_a_large_vocabulary_ends_in_time_too(kind: str) -> None:
    automaton = TokenAutomaton(Remarks(8), vocabulary(kind))
    for budget in range(automaton.distance(automaton.start()), 40, 5):
        for seed in range(2):
            state, left, random = automaton.start(), budget, Random(seed)
            while not automaton.accepting(state):
                tokens = automaton.allowed_within(state, left)
                assert len(tokens)
                state, left = automaton.advance(state, int(random.choice(tokens))), left - 1
            assert left >= 0


@law
@given(kinds, limits, laws.seeds)
def test_forced_tokens_are_the_only_ones(kind: str, most: int, seed: int) -> None:
    automaton = TokenAutomaton(Remarks(most + 2), words_of(kind))
    laws.check_forced(automaton, wander(automaton, seed, 1))


@pytest.mark.slow
@law
@given(st.sampled_from(("tiny", *KINDS)), limits, laws.seeds)
def test_what_was_written_is_read_as_it_was_meant(kind: str, most: int, seed: int) -> None:
    spoken = Remarks(most + 2)
    automaton, reader = TokenAutomaton(spoken, words_of(kind)), Reader(spoken)
    for state in wander(automaton, seed):
        if automaton.accepting(state):
            text = automaton.text(state)
            assert reader.read_text(text) == SentenceReading(text, automaton.values(state))
            inner = text[2:].split(";")[0].strip()
            assert TEXT.fullmatch(inner)


@law
@given(st.sampled_from(("tiny", *LOSSLESS)), limits, laws.seeds)
def test_tokens_say_the_text_of_their_sentence(kind: str, most: int, seed: int) -> None:
    words, random = words_of(kind), Random(seed)
    automaton = TokenAutomaton(Remarks(most + 2), words)
    state, tokens = automaton.start(), []
    while not automaton.accepting(state):
        allowed = automaton.allowed_within(state, 60 - len(tokens))
        tokens.append(int(random.choice(allowed)))
        state = automaton.advance(state, tokens[-1])
    assert words.decode(tokens) == automaton.text(state)


@law
@given(st.sampled_from(LOSSLESS), st.text(max_size=30))
def test_a_text_is_accepted_as_training_spells_it(kind: str, text: str) -> None:
    words = vocabulary(kind)
    automaton = TokenAutomaton(Remarks(64), words)
    text = " ".join(text.split())
    state = laws.follow_tokens(automaton, laws.spell(words, (" b", f" {text}", " ;")))
    assert (state is not None) == bool(TEXT.fullmatch(text))


@pytest.mark.parametrize("kind", ["sentencepiece-32000", "wordpiece-32000"])
@pytest.mark.parametrize("text", ["directed by", "a", "film with - signs", "born in 1"])
def test_tokenizers_that_change_spaces_spell_texts_too(kind: str, text: str) -> None:
    words = vocabulary(kind)
    automaton = TokenAutomaton(Remarks(64), words)
    said = (" b", f" {text}", " ;", " ab (", text, ")")
    state = laws.follow_tokens(automaton, laws.spell(words, said))
    assert automaton.values(state) == (f" b {text} ; ab ({text})",)


def test_a_character_may_be_spelled_byte_by_byte() -> None:
    words = vocabulary("bytes-500")
    automaton = TokenAutomaton(Remarks(12), words)
    state = automaton.start()
    spelled = words.encode(" b") + words.encode(" 日é")
    for at, token in enumerate(spelled):
        state = automaton.advance(state, token)
        ends = any(node[2] == 0 for _, node in state)
        assert ends == (at in (0, 4, 6))


@pytest.mark.parametrize(
    "text", [";", "(", "\n", "\t", "\x00", "\x1b", "\x85", "\u2028", "\u00a0", "\u3000"]
)
@pytest.mark.parametrize("kind", LOSSLESS)
def test_what_no_text_holds_is_refused(kind: str, text: str) -> None:
    words = vocabulary(kind)
    automaton = TokenAutomaton(Remarks(30), words)
    for before in (" ", " a", " ab "):
        state = laws.follow_tokens(automaton, laws.spell(words, (" b", f"{before}{text}x")))
        assert state is None
        assert automaton.advance(state, 5) is None


@pytest.mark.parametrize(
    ("written", "accepted", "since", "instead"),
    [
        ("b ;", "b ", 1, (WORDS,)),
        ("b", "b", 1, (WORDS,)),
        ("b some  words ; a", "b some ", 1, (" some ;", WORDS)),
        ("b some words", "b some words", 1, (" some words ;", WORDS)),
        ("b some words ; (", "b some words ; ", 14, (" ab (", " a")),
        ("b some words ; ab (", "b some words ; ab (", 19, (WORDS,)),
        ("b some words ; ab (x", "b some words ; ab (x", 19, ("x)", WORDS)),
        ("b some words ; ab (x) ;", "b some words ; ab (x)", 21, (END,)),
    ],
)
def test_a_departure_says_where_words_are_free(
    written: str, accepted: str, since: int, instead: tuple[str, ...]
) -> None:
    found = Reader(Remarks(8)).read_text(written)
    assert isinstance(found, Departure)
    assert (found.accepted, found.move_start, found.alternatives) == (accepted, since, instead)


def test_a_text_has_as_many_characters_as_its_tokens_can_say() -> None:
    reader = Reader(Remarks(2))
    assert isinstance(reader.read_text(f" b {63 * 'x'} ; a"), SentenceReading)
    found = reader.read_text(f" b {64 * 'x'} ; a")
    assert isinstance(found, Departure)
    assert found.at == 2 + 64


def test_a_vocabulary_without_such_short_texts_is_refused() -> None:
    automaton = TokenAutomaton(Remarks(1), vocabulary("sentencepiece-32000"))
    [before] = vocabulary("sentencepiece-32000").encode(" b")[:1]
    with pytest.raises(InputError, match="no free text has at most 1 tokens"):
        automaton.distance(automaton.start())
    assert before in automaton.allowed_tokens(automaton.start())


def test_equal_free_texts_are_one_site() -> None:
    assert FreeText(3, frozenset("ab")) == FreeText(3, frozenset("ba"))
    assert Characters().free_tokens(frozenset("ab")) is Characters().free_tokens(frozenset("ba"))


@pytest.mark.slow
def test_a_language_that_is_spoken_for_long_remembers_no_more() -> None:
    words = vocabulary("bytes-500")
    random, free = Random(1), PatternWords(free_tokens=32)
    automaton = TokenAutomaton(PatternLanguage(1, free, free), words)
    first = laws.follow_tokens(automaton, laws.spell(words, (" ENT1", " ->")))
    for _ in range(10_000):
        laws.follow_tokens(automaton, words.encode(f" {random.getrandbits(48):012x}"), first)
    assert sum(type(each) is PatternState for each in gc.get_objects()) < 40_000
