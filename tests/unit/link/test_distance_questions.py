"""Which questions ask for distances, and what they ask of them."""

from __future__ import annotations

import re

import pytest

from trellis.linking.names.spans import Span
from trellis.linking.questions.distances import (
    DistanceRequest,
    read_distance_request,
    speaks_of_distance,
)

NOUNS = ("station", "stations", "shop", "shops", "gas station", "gas stations", "café")


def read(marked: str) -> DistanceRequest | None:
    """What a question asks, its names in brackets."""
    text, names = "", []
    for part in re.split(r"(\[.*?\])", marked):
        bare = part.strip("[]")
        if part.startswith("["):
            names.append(Span(len(text), len(text) + len(bare)))
        text += bare
    if not speaks_of_distance(text):
        return None
    return read_distance_request(text, names, NOUNS.__contains__)


def summarize(marked: str) -> tuple[object, ...]:
    request = read(marked)
    assert request is not None, marked
    assert (request.unread, request.unknown_names) == ((), ())
    return (
        request.order,
        request.count,
        f"{request.comparison} {request.amount:g} {request.unit}" if request.comparison else None,
        request.nouns,
    )


@pytest.mark.parametrize(
    ("question", "order", "count", "nouns"),
    [
        ("Which station is nearest to [Central Station]?", "nearest", None, ("station",)),
        ("What is the closest gas station to [Oak]?", "nearest", None, ("gas station",)),
        ("List the three closest stations to [Oak].", "nearest", 3, ("stations",)),
        ("Which 3 shops are farthest from [Oak]?", "farthest", 3, ("shops",)),
        ("what is nearest to [oak]", "nearest", None, ()),
        ("Which shop is closest to the café [Sole]?", "nearest", None, ("shop",)),
        ("What are the stations nearest to the [Sole] café?", "nearest", None, ("stations",)),
    ],
)
def test_the_nearest_of_a_kind(
    question: str, order: str, count: int | None, nouns: tuple[str, ...]
) -> None:
    assert summarize(question) == (order, count, None, nouns)


@pytest.mark.parametrize(
    ("question", "compared", "nouns"),
    [
        ("Which shops are within 5 km of [Oak]?", "<= 5 km", ("shops",)),
        ("Which shops are less than 5km away from [Oak]?", "< 5 km", ("shops",)),
        ("Which shops lie more than 2.5 miles from [Oak]?", "> 2.5 mi", ("shops",)),
        ("How many shops are at most two kilometres from [Oak]?", "<= 2 km", ("shops",)),
        ("What is in a radius of 300 m of [Oak]?", "<= 300 m", ()),
        ("Which shops are no more than 5 km from [Oak]?", "<= 5 km", ("shops",)),
        ("Which shops are within 5 of [Oak]?", "<= 5 ", ("shops",)),
        ("Is [Elm] within 5 km of [Oak]?", "<= 5 km", ()),
    ],
)
def test_distances_are_compared(question: str, compared: str, nouns: tuple[str, ...]) -> None:
    assert summarize(question) == (None, None, compared, nouns)


@pytest.mark.parametrize(
    ("question", "unit"),
    [
        ("How far is [Elm] from [Oak]?", ""),
        ("How far apart are [Elm] and [Oak]?", ""),
        ("How far is it from the shop [Elm] to [Oak]?", ""),
        ("What is the distance between [Elm] and [Oak]?", ""),
        ("What is the distance in miles between [Elm] and [Oak]?", "mi"),
        ("How many kilometres is [Elm] from [Oak]?", "km"),
    ],
)
def test_how_far_two_places_are_apart(question: str, unit: str) -> None:
    request = read(question)
    assert request is not None
    assert request.asks_far
    assert request.names_both
    assert (request.order, request.comparison, request.unit) == (None, None, unit)
    assert (request.unread, request.unknown_names) == ((), ())


def test_how_far_the_nearest_is() -> None:
    request = read("How far is the nearest station from [Oak]?")
    assert request is not None
    assert request.asks_far
    assert not request.names_both
    assert (request.order, request.nouns) == ("nearest", ("station",))


def test_whether_something_is_near() -> None:
    both = read("Is [Elm] within 5 km of [Oak]?")
    assert both is not None
    assert both.asks_whether
    assert both.names_both
    kind = read("Is there a shop within 5 km of [Oak]?")
    assert kind is not None
    assert kind.asks_whether
    assert not kind.names_both


@pytest.mark.parametrize(
    ("question", "unread"),
    [
        ("Which Italian shops are within 5 km of [Oak]?", ("Italian",)),
        ("Which shops are not within 5 km of [Oak]?", ("not",)),
        ("Which station that has lifts is nearest to [Oak]?", ("has lifts",)),
    ],
)
def test_what_is_not_read_is_given_back(question: str, unread: tuple[str, ...]) -> None:
    request = read(question)
    assert request is not None
    assert request.unread == unread


@pytest.mark.parametrize(
    ("question", "unknown"),
    [
        ("Which station is nearest to Zork Hill?", ("Zork Hill",)),
        ("which station is nearest to zork", ("zork",)),
        ("How far is [Oak] from Zork?", ("Zork",)),
    ],
)
def test_words_in_the_place_of_a_name_are_unknown_names(
    question: str, unknown: tuple[str, ...]
) -> None:
    request = read(question)
    assert request is not None
    assert request.unknown_names == unknown


@pytest.mark.parametrize(
    "question",
    [
        "Which station opened within 5 days of [Oak]?",
        "Which stations are there?",
        "How far are the stations from [Oak]?",
        "Which shops are between 2 and 5 km from [Oak]?",
        "Which station is nearest?",
        "Which trails of [Oak] are more than 5 km long?",
        "Which shops close at 5?",
        "How long is [Oak] in km?",
        "Which of them is farther from [Oak]?",
    ],
)
def test_other_questions_ask_for_no_distance(question: str) -> None:
    assert read(question) is None
