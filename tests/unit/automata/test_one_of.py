"""One of a few texts: the sentences that real tokenizers make of it, and how it travels."""

from __future__ import annotations

import pytest

from damages import sealed
from hostile_languages import MAGIC
from trellis.automata.codec import decode_language, encode_language
from trellis.automata.codec.sections import write_text, write_texts
from trellis.automata.one_of import OneOf
from trellis.automata.tokens.automaton import TokenAutomaton
from trellis.domain.errors import CodecError
from unit.automata.kinds import KINDS, LOSSLESS, vocabulary
from unit.automata.test_laws import sentences, spelled

CHOICE = (" yes", " no", " not at all")


@pytest.mark.parametrize("kind", KINDS)
def test_its_sentences_are_the_texts_as_they_are_spelt_alone(kind: str) -> None:
    found = sentences(TokenAutomaton(OneOf(CHOICE), vocabulary(kind)))
    assert found == {spelled((said,), kind): (said,) for said in CHOICE}


@pytest.mark.parametrize("kind", LOSSLESS)
def test_from_every_state_an_end_is_in_reach(kind: str) -> None:
    automaton = TokenAutomaton(OneOf(CHOICE), vocabulary(kind))
    for said in CHOICE:
        tokens, state = spelled((said,), kind), automaton.start()
        for read, token in enumerate(tokens):
            assert automaton.distance(state) <= len(tokens) - read
            state = automaton.advance(state, token)
        assert automaton.accepting(state)
        assert automaton.forced(state) == ((), state)


def test_it_travels_as_it_is() -> None:
    come = decode_language(encode_language(OneOf(CHOICE)))
    assert isinstance(come, OneOf)
    assert come.texts == CHOICE


@pytest.mark.parametrize("said", [(), ("",), (" a", " a")])
def test_texts_that_are_no_choice_are_refused(said: tuple[str, ...]) -> None:
    with pytest.raises(CodecError):
        decode_language(sealed(MAGIC, write_text("one_of") + write_texts(said)))
