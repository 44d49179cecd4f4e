"""Units at the end of a property's name, and behind a number of a question."""

from __future__ import annotations

import pytest

from question_forms import make_form
from trellis.automata.cypher.meaning.query import QueryFilter, QueryGraph, QueryNode
from trellis.domain.graphs.links import Link, Mention, StoredValue
from trellis.linking.values.units import find_unit_behind, split_unit
from trellis.steps.conclude.queries.check_values import find_foreign_units
from trellis.steps.describe.queries.read_meaning import QueryMeaning


@pytest.mark.parametrize(
    ("name", "words", "unit"),
    [
        ("length km", "length", "km"),
        ("area km2", "area", "km2"),
        ("area km 2", "area", "km2"),
        ("flight time mins", "flight time", "min"),
        ("unit price", "unit price", ""),
        ("km", "km", ""),
    ],
)
def test_a_unit_at_the_end_of_a_name_is_split_off(name: str, words: str, unit: str) -> None:
    rest, found = split_unit(name.split())
    assert (" ".join(rest), found) == (words, unit)


@pytest.mark.parametrize(
    ("text", "number", "unit"),
    [
        ("over 20,000 feet", "20,000", ("ft", "feet")),
        ("over 600,000 km² of sand", "600,000", ("km2", "km²")),
        ("5km away", "5", ("km", "km")),
        ("8000 m", "8000", ("m", "m")),
        ("8000 men", "8000", ("", "")),
        ("100 square miles", "100", ("mi2", "square miles")),
        ("5 million people", "5 million", ("", "")),
        ("in 1990", "1990", ("", "")),
    ],
)
def test_the_unit_behind_a_number(text: str, number: str, unit: tuple[str, str]) -> None:
    assert find_unit_behind(text, text.index(number) + len(number)) == unit


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("rivers longer than 500 miles", "the question says miles, and the length is stored in km"),
        ("rivers longer than 500 m", "the question says m, and the length is stored in km"),
        ("rivers longer than 500 kilometres", ""),
        ("rivers longer than 500", ""),
    ],
)
def test_a_number_of_another_unit_is_not_compared(question: str, told: str) -> None:
    number = StoredValue("", "", 500, "INTEGER")
    at = question.index("500")
    mention = Mention(at, at + 3, "500", (Link(number, 0.3, "number"),))
    node = QueryNode("River", (QueryFilter("length_km", ">", (0,)),))
    meaning = QueryMeaning(QueryGraph((node,)), (number,))
    form = make_form(question, [mention])
    assert find_foreign_units(form, meaning) == told
    assert find_foreign_units(form, None) == ""
