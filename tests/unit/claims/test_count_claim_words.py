"""Words are counted from labels alone: which relation `penned` speaks of is in no example."""

from __future__ import annotations

import math

from trellis.training.supervision.claims.count_claim_words import (
    ClaimExample,
    count_claim_words,
    weigh_parts,
)

WROTE, DIRECTED = (">written_by",), (">directed_by",)


def make_example(words: str, *forms: tuple[str, ...]) -> ClaimExample:
    return ClaimExample(tuple(words.split()), tuple((form, 0.0) for form in forms))


def test_ambiguous_claims_are_told_apart_by_the_others() -> None:
    """Where a film's writer is its director, the label fits both; elsewhere it fits one."""
    certain = [make_example("penned by", WROTE)] * 3 + [make_example("shot by", DIRECTED)] * 3
    doubtful = [make_example("penned by", WROTE, DIRECTED)] * 10
    table = count_claim_words([*certain, *doubtful], {})
    wrote, directed = weigh_parts(doubtful[0], table)
    assert wrote > 0.8
    assert math.isclose(wrote + directed, 1.0)
    assert table[">written_by"]["penned"] > 3 * table[">directed_by"].get("penned", 0.0)


def test_what_is_known_before_stays_where_no_claim_says_otherwise() -> None:
    known = {">written_by": {"author": 0.4}, ">directed_by": {"director": 0.4}}
    assert count_claim_words([], known) == known
    taught = count_claim_words([make_example("penned by", WROTE)] * 5, known)
    assert 0 < taught[">written_by"]["author"] < 0.4
    assert taught[">directed_by"]["director"] == 0.4
