"""The mini's tokenizer: whole words where it knows them, and never a text lost."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trellis.automata.tokens.vocabulary import TokenizerVocabulary
from trellis.training.language_models import pieces
from unit.training.small_training import build_vocabulary

SEGMENTS = (
    " ENT1",
    " & ENT2",
    " -> place_of_birth",
    " <- PLAYS_FOR",
    " -> birthPlace",
    " -> is_in_country_inverse",
    " -> a relation, with (marks) & 'quotes'",
    " -> год_рождения",
    " -> 生まれ",
    " -> x--y->z",
    " -> two  spaces ",
)


@pytest.fixture(scope="module")
def vocabulary() -> TokenizerVocabulary:
    return build_vocabulary(SEGMENTS[:6], ["who", "married", "place"])


@pytest.fixture(scope="module")
def asked() -> TokenizerVocabulary:
    """The vocabulary of many prompts, of which few are misspelt."""
    prompts = ["which state"] * 40_000 + [" which state", " Harbour", " wich", " sttae"]
    return build_vocabulary([" -> ghzal_of"], [], [*prompts, *[" ostan"] * 20])


@pytest.mark.parametrize("text", SEGMENTS)
def test_a_segment_survives_its_spelling(vocabulary: TokenizerVocabulary, text: str) -> None:
    assert vocabulary.decode(vocabulary.encode(text)) == text


@pytest.mark.slow
@given(st.text(max_size=60))
def test_any_text_survives_and_no_piece_of_it_is_special(text: str) -> None:
    vocabulary = TokenizerVocabulary(tokenizer := pieces.build_tokenizer(["Path:"], ["who"]), [1])
    spelled = vocabulary.encode(f"{text}<end>{text}")
    assert vocabulary.decode(spelled) == f"{text}<end>{text}"
    assert not {tokenizer.token_to_id(pieces.PAD), tokenizer.token_to_id(pieces.END)} & {*spelled}


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (" -> place_of_birth", [" ->", " place", "_of", "_birth"]),
        (" <- PLAYS_FOR", [" <-", " PLAYS", "_FOR"]),
        (" -> birthPlace", [" ->", " birth", "Place"]),
        ("who married ENT1's", ["w", "h", "o", " married", " ENT1", "'s"]),
        (" who is ENT12?", [" who", " is", " ENT1", "2", "?"]),
    ],
)
def test_words_are_pieces(vocabulary: TokenizerVocabulary, text: str, parts: list[str]) -> None:
    assert [vocabulary.decode([token]) for token in vocabulary.encode(text)] == parts


def test_an_endless_word_is_spelled_at_once(vocabulary: TokenizerVocabulary) -> None:
    text = "x" * 100_000
    assert vocabulary.decode(vocabulary.encode(text)) == text


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (" which state", [" which", " state"]),
        (" Harbour", [" Harbour"]),  # rare, but English
        (" ostan", [" ostan"]),  # not English, but not rare
        (" wich", [" ", "w", "i", "c", "h"]),
        (" sttae", [" ", "s", "t", "t", "a", "e"]),
        (" -> ghzal_of", [" ->", " ghzal", "_of"]),  # of a segment: no word of it is misspelt
    ],
)
def test_a_misspelt_word_of_prompts_falls_into_bytes(
    asked: TokenizerVocabulary, text: str, parts: list[str]
) -> None:
    assert [asked.decode([token]) for token in asked.encode(text)] == parts
