"""What a question and a reading explain of each other, token by token."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
import pytest

from trellis.domain.models.token_vectors import TokenVectors
from trellis.steps.align.token_alignment import (
    Alignment,
    align_tokens,
    measure_log_likelihood,
)

_WORDS = ("who", "directed", "v0", "persons", "that", "movie", "no", "(", ")")


def read_tokens(text: str) -> TokenVectors:
    """A text whose equal words are alike, and others not at all."""
    found = [match.span() for match in re.finditer(r"\w+|[()]", text)]
    rows = np.eye(len(_WORDS), dtype=np.float32)
    vectors = [rows[_WORDS.index(text[start:end])] for start, end in found]
    return TokenVectors(text, tuple(found), np.array(vectors, np.float32).reshape(-1, len(_WORDS)))


@pytest.mark.parametrize(
    ("question", "reading", "aligned"),
    [
        ("directed v0", "directed v0", (1.0, 1.0, 1.0, 1.0)),
        ("who directed v0", "persons that directed v0", (2 / 3, 1 / 2, 1 / 2, 0.0)),
        ("no movie", "movie", (1 / 2, 1.0, 1 / 2, 1.0)),
        ("movie", "movie (that directed v0)", (1.0, 1 / 4, 1.0, 0.0)),  # brackets are no words
        ("( )", "movie", (1.0, 0.0, 1.0, 0.0)),
    ],
)
def test_each_token_counts_as_far_as_the_other_side_has_one_like_it(
    question: str, reading: str, aligned: Sequence[float]
) -> None:
    found = align_tokens(read_tokens(question), read_tokens(reading))
    told = found.explained, found.supported, found.least_explained, found.least_supported
    assert told == pytest.approx(aligned)


def test_a_reading_without_tokens_explains_nothing() -> None:
    assert align_tokens(read_tokens("movie"), read_tokens("")).explained == -1.0


def test_what_explains_more_is_likelier() -> None:
    whole, half = Alignment(1.0, 1.0, 1.0, 1.0), Alignment(0.5, 1.0, 0.5, 1.0)
    assert measure_log_likelihood(whole) > measure_log_likelihood(half)
