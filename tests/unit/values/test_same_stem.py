"""Which words are forms of one word."""

from __future__ import annotations

import pytest

from trellis.linking.value_index import has_same_stem


@pytest.mark.parametrize(
    ("word", "other"),
    [("lake", "lakes"), ("film", "filming"), ("rain", "rainy"), ("direct", "director")],
)
def test_forms_of_a_word(word: str, other: str) -> None:
    assert has_same_stem(word, other)
    assert has_same_stem(other, word)


@pytest.mark.parametrize(("word", "other"), [("come", "comedy"), ("star", "start"), ("7", "70")])
def test_other_words_that_begin_alike(word: str, other: str) -> None:
    assert not has_same_stem(word, other)
    assert not has_same_stem(other, word)
