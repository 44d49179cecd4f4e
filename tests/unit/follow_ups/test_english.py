"""Pronouns, ellipses and noun phrases, as tables of sentences."""

from __future__ import annotations

import pytest

from trellis.linking.names.spans import Span, find_occurrences, parse_question
from trellis.linking.questions.elliptic import find_ellipsis
from trellis.linking.questions.pronouns import find_unbound_pronouns
from trellis.linking.questions.question_phrases import ask_how_many, describe_asked

NOUNS = frozenset(("country", "countries", "river", "rivers", "official languages", "languages"))
NAMES = ("Kenya", "Uganda", "Nairobi")


def find_names(text: str) -> list[Span]:
    return [span for name in NAMES for span in find_occurrences(text, name)[:1]]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("What is its capital?", ["its"]),
        ("What is the capital of that country?", ["that country"]),
        ("Which rivers flow through those?", ["those"]),
        ("Does Kenya border it?", ["it"]),
        ("Which countries border Kenya and it?", ["it"]),
        ("Is Nairobi its capital?", ["its"]),
        ("Which languages are spoken there?", ["there"]),
        ("Which of them border Uganda?", ["them"]),
        ("Which ones border Uganda?", ["ones"]),
        ("Which of them flow through it?", ["them", "it"]),
        ("Which country has its capital on a river?", []),
        ("Which countries colonised their neighbours?", []),
        ("Which rivers flow through Kenya and its neighbours?", []),
        ("Which rivers rise in Kenya and leave it?", []),
        ("Does Kenya border its former ruler?", []),
        ("Are there rivers in Kenya?", []),
        ("How many rivers are there?", []),
        ("Is it true that Kenya borders Uganda?", []),
        ("Which is the river that countries share?", []),
        ("Wie heißt sie?", []),
    ],
)
def test_unbound_pronouns(text: str, expected: list[str]) -> None:
    found = find_unbound_pronouns(parse_question(text), find_names(text), NOUNS)
    assert [pronoun.text for pronoun in found] == expected


@pytest.mark.parametrize(
    ("text", "kind", "noun"),
    [
        ("And of Uganda?", "instead", ""),
        ("uganda", None, ""),
        ("Uganda?", "instead", ""),
        ("What about the Uganda then?", "instead", ""),
        ("And that of Uganda?", "instead", ""),
        ("And its currency?", "aspect", "currency"),
        ("And the official languages?", "aspect", "official languages"),
        ("And the largest?", "most", "the largest"),
        ("Which one is the most populous?", "most", "the most populous"),
        ("How many?", "count", ""),
        ("How many are there in all?", "count", ""),
        ("Why not?", "bare", ""),
        ("Where does the second one lie?", "bare", ""),
        ("What is the capital of Uganda?", None, ""),
        ("Which is the largest country?", None, ""),
        ("How many rivers are there?", None, ""),
    ],
)
def test_what_a_question_leaves_out(text: str, kind: str | None, noun: str) -> None:
    found = find_ellipsis(parse_question(text), find_names(text) if "Uganda" in text else [])
    assert (found.kind if found else None) == kind
    assert (found.noun if found else "") == noun


@pytest.mark.parametrize(
    ("question", "phrase", "count"),
    [
        (
            "Which countries border Kenya?",
            "the countries that border Kenya",
            "How many countries border Kenya?",
        ),
        (
            "And which countries does the Rhine cross?",
            "the countries that the Rhine crosses",
            "How many countries does the Rhine cross?",
        ),
        (
            "What are the official languages of Kenya?",
            "the official languages of Kenya",
            "How many official languages of Kenya are there?",
        ),
        (
            "Show me all rivers in Kenya",
            "the rivers in Kenya",
            "How many rivers in Kenya are there?",
        ),
        (
            "How many rivers are in Kenya?",
            "the rivers that are in Kenya",
            "How many rivers are in Kenya?",
        ),
        ("What is the capital of Kenya?", "", ""),
        ("Where does the Nile rise?", "", ""),
        ("Which countries did Rome conquer?", "", "How many countries did Rome conquer?"),
    ],
)
def test_what_a_question_asks_for(question: str, phrase: str, count: str) -> None:
    assert describe_asked(question, NOUNS) == phrase
    assert ask_how_many(question, NOUNS) == count
