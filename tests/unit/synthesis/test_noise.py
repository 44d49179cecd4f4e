"""What is put around and into a question changes nothing of what it asks for."""

from __future__ import annotations

import random
import re

import pytest

from trellis.training.synthesis.noise import QuestionNoise, wrap_copies

QUESTION = "who directed the film ENT1 's lead and t2 made in v3"


def test_names_stay_each_once_and_in_their_order() -> None:
    for seed in range(500):
        noised = QuestionNoise(random.Random(seed)).add_noise(QUESTION)
        assert re.findall(r"ENT1|t2|v3", noised) == ["ENT1", "t2", "v3"]


def test_some_copies_have_words_around_them_and_most_have_none() -> None:
    copies = wrap_copies([QUESTION] * 1_000, seed=0)
    assert 600 < copies.count(QUESTION) < 900
    assert all("{" not in copy for copy in copies)
    assert copies == wrap_copies([QUESTION] * 1_000, seed=0)


@pytest.mark.parametrize(
    ("question", "fronted"),
    [
        ("who wrote ENT1", r"ENT1\b.* who wrote (?:it|that|he|she)$"),
        ("who is ENT1 's father", r"ENT1\b.* who is (?:its|his|her) father$"),
        ("who is ENT1's father", r"ENT1\b.* who is (?:its|his|her) father$"),
    ],
)
def test_a_name_may_come_first(question: str, fronted: str) -> None:
    copies = set(wrap_copies([question] * 1_000, seed=0))
    assert any(re.search(fronted, copy) for copy in copies)


@pytest.mark.parametrize("question", ["is ENT1 bigger than ENT1", "how many rivers are there"])
def test_what_has_no_single_first_name_stays_in_its_order(question: str) -> None:
    assert all(question in copy for copy in wrap_copies([question] * 300, seed=0))
