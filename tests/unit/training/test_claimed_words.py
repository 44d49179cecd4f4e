"""Made questions do not say a word of one relationship type that given ones say of another."""

from __future__ import annotations

from trellis.steps.retrieve.queries.query_prompt import build_masked_query_prompt
from trellis.training.examples import Example
from trellis.training.supervision.queries.claimed_words import (
    drop_contradicting,
    find_claimed_words,
)

TYPES = ("knows", "knows sn", "lives at")
VALUE = "v0 (person name)"


def make_example(question: str, *segments: str) -> Example:
    return Example(build_masked_query_prompt(question), tuple(f" {each}" for each in segments))


GIVEN = [
    *(make_example(f"friends of {VALUE}", "list", "person", "knows sn") for _ in range(5)),
    *(make_example(f"people known to {VALUE}", "list", "person", "knows ->") for _ in range(5)),
    *(make_example(f"where is the home of {VALUE}", "list", "place", "lives at") for _ in range(3)),
    *(make_example(f"people at {VALUE}", "list", "person", "lives at") for _ in range(5)),
]


def test_a_word_is_claimed_where_it_always_comes_with_one_type() -> None:
    claimed = find_claimed_words(GIVEN, TYPES)
    assert claimed["friends"] == {"knows sn"}
    assert claimed["known"] == {"knows"}
    assert "people" not in claimed  # of two types
    assert "home" not in claimed  # said too seldom


def test_made_questions_that_contradict_are_left_out() -> None:
    agreeing = [
        make_example(f"which friends has {VALUE}", "list", "person", "knows sn ->"),
        make_example(f"friends of friends of {VALUE}", "list", "person", "knows", "knows sn"),
        make_example(f"people who knows {VALUE}", "list", "person", "knows"),
        make_example(f"homes of {VALUE}", "list", "place", "lives at"),
        make_example("how many friends are there", "count", "person"),  # of no type at all
    ]
    contradicting = make_example(f"friends of {VALUE}", "list", "person", "knows <-")
    claimed = find_claimed_words(GIVEN, TYPES)
    kept = drop_contradicting([contradicting, *agreeing], claimed, TYPES)
    assert kept == tuple(agreeing)
