"""Verb phrases denied, in their base form, and without `is`."""

from __future__ import annotations

import random

import pytest

from trellis.training.synthesis.operators.parts.verb_phrases import (
    agree_verb,
    ask_verb,
    find_behind_be,
    make_base,
    negate_predicate,
)


@pytest.mark.parametrize(
    ("predicate", "base"),
    [
        ("borders {}", "border {}"),
        ("flows into {}", "flow into {}"),
        ("watches {}", "watch {}"),
        ("carries {}", "carry {}"),
        ("is in {}", "be in {}"),
        ("were part of {}", "be part of {}"),
        ("has {} as capital", "have {} as capital"),
        ("had {} as capital", "have {} as capital"),
        ("became part of {}", "become part of {}"),
        ("joined {}", "join {}"),
        ("colonised {}", "colonise {}"),
        ("feeds {}", "feed {}"),
        ("can be seen from {}", "can be seen from {}"),
    ],
)
def test_the_base_form_of_a_verb_phrase(predicate: str, base: str) -> None:
    assert make_base(predicate) == base


@pytest.mark.parametrize(
    ("predicate", "denials"),
    [
        ("is in {}", {"is not in {}", "isn't in {}"}),
        ("were part of {}", {"were not part of {}", "weren't part of {}"}),
        ("can be seen from {}", {"can not be seen from {}", "can't be seen from {}"}),
        ("may reach {}", {"may not reach {}"}),
        ("joined {}", {"did not join {}", "didn't join {}"}),
        (
            "borders {}",
            {"does not border {}", "doesn't border {}", "do not border {}", "don't border {}"},
        ),
        (
            "has a coast on {}",
            {
                "does not have a coast on {}",
                "doesn't have a coast on {}",
                "do not have a coast on {}",
                "don't have a coast on {}",
                "has no coast on {}",
                "have no coast on {}",
            },
        ),
    ],
)
def test_the_denials_of_a_verb_phrase(predicate: str, denials: set[str]) -> None:
    choice = random.Random(0)
    assert {negate_predicate(predicate, choice) for _ in range(200)} == denials


@pytest.mark.parametrize(
    ("predicate", "rest"),
    [("is in {}", "in {}"), ("were {}", "{}"), ("is", None), ("borders {}", None)],
)
def test_what_stands_behind_is(predicate: str, rest: str | None) -> None:
    assert find_behind_be(predicate) == rest


@pytest.mark.parametrize(
    ("verb_phrase", "of_several", "asked"),
    [
        ("be longer than {}", "are longer than {}", "is Po longer than {}"),
        ("exceed {}", "exceed {}", "does Po exceed {}"),
        ("have more water than {}", "have more water than {}", "does Po have more water than {}"),
        ("beat {}", "beat {}", "does Po beat {}"),
    ],
)
def test_a_verb_phrase_agrees_with_several_things_and_asks_of_one(
    verb_phrase: str, of_several: str, asked: str
) -> None:
    assert (agree_verb(verb_phrase), ask_verb("Po", verb_phrase)) == (of_several, asked)
