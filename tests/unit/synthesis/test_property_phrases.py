"""The phrases for properties: known ones by their names, others from their names alone."""

from __future__ import annotations

import pytest

from trellis.domain.graphs.schema import LabelKind, PropertyKind, Schema
from trellis.lexicon.phrasebook import Phrasebook
from trellis.lexicon.property_phrases import (
    PropertyPhrases,
    is_number,
    is_ordered,
    is_year,
    list_numbers,
)
from trellis.lexicon.relations.concepts import Concepts

BOOK = Phrasebook.load()
LENGTH = PropertyKind("length_km", "FLOAT")
FOUNDED = PropertyKind("founded", "INTEGER")
PRICE = PropertyKind("unit price", "FLOAT")
UNKNOWN = PropertyKind("foo_bar", "STRING")
UNKNOWN_DATE = PropertyKind("foo_bar", "DATE")


@pytest.mark.parametrize(
    ("kind", "field", "phrase"),
    [
        (LENGTH, "nouns", "length"),
        (LENGTH, "asks", "how long is {}"),
        (LENGTH, "units", "km"),
        (LENGTH, "more", "longer"),
        (LENGTH, "most", "longest"),
        (LENGTH, "above", "longer than {}"),
        (LENGTH, "exceeds", "be longer than {}"),
        (FOUNDED, "asks", "when was {} founded"),
        (FOUNDED, "below", "founded before {}"),
        (FOUNDED, "most", "youngest"),
        (FOUNDED, "equal", "founded in {}"),
        (PRICE, "nouns", "price per unit"),
        (PRICE, "least", "cheapest"),
        (PRICE, "above", "with a unit price above {}"),
        (PropertyKind("call_time", "STRING"), "nouns", "time of day"),
        (UNKNOWN_DATE, "above", "with a foo bar after {}"),
        (UNKNOWN_DATE, "tops", "with the latest foo bar"),
    ],
    ids=str,
)
def test_a_property_has_the_phrases_of_its_name(
    kind: PropertyKind, field: str, phrase: str
) -> None:
    assert phrase in getattr(BOOK.property_phrases("Thing", kind), field)


def test_an_unknown_property_has_the_words_of_its_name_alone() -> None:
    phrases = BOOK.property_phrases("Thing", UNKNOWN)
    assert phrases == PropertyPhrases(nouns=("foo bar",), equal=("with foo bar {}",))


@pytest.mark.parametrize(
    ("name", "noun"),
    [
        ("nhs_no", "nhs number"),
        ("maxQty", "maximum quantity"),
        ("calling_code", "calling code"),  # that the lexicon knows by its last word
        ("call_time", "call time"),
    ],
)
def test_a_name_is_said_in_its_own_words_without_abbreviations(name: str, noun: str) -> None:
    assert BOOK.property_phrases("Thing", PropertyKind(name, "STRING")).nouns[0] == noun


def test_a_participle_is_no_noun_of_its_own() -> None:
    assert "founded" not in BOOK.property_phrases("Thing", FOUNDED).nouns


@pytest.mark.parametrize(
    ("names", "is_first"),
    [(("Ann", "Bob"), True), (("Mary Ann", "Bob"), True), (("Ann Day", "Bob Low"), False)],
)
def test_a_name_of_few_words_beside_a_surname_is_a_first_name(
    names: tuple[str, ...], *, is_first: bool
) -> None:
    name = PropertyKind("name", "STRING", examples=names)
    person = LabelKind("Person", 2, "name", (name, PropertyKind("surname", "STRING")))
    city = LabelKind("City", 1, "name", (name,))
    book = Phrasebook.of_schema(Schema((person, city), (), 3, 0, "x"))
    nouns = book.property_phrases("Person", name).nouns
    assert ("first name" in nouns) is is_first
    assert "name" in nouns
    assert "first name" not in book.property_phrases("City", name).nouns


def test_a_wording_file_goes_first_and_leaves_the_other_phrases() -> None:
    own = {"River.length_km": {"nouns": ["reach"]}}
    book = Phrasebook(Concepts({}), {}, {}, properties=BOOK.properties, own_properties=own)
    assert book.property_phrases("River", LENGTH).nouns == ("reach",)
    assert book.property_phrases("River", LENGTH).most == BOOK.property_phrases("", LENGTH).most
    assert book.property_phrases("Road", LENGTH) == BOOK.property_phrases("Road", LENGTH)


@pytest.mark.parametrize(
    ("kind", "ordered", "number", "year"),
    [
        (LENGTH, True, True, False),
        (FOUNDED, True, True, True),
        (PRICE, True, True, False),
        (UNKNOWN, False, False, False),
        (UNKNOWN_DATE, True, False, True),
    ],
    ids=str,
)
def test_what_values_can_be_compared(
    kind: PropertyKind, ordered: bool, number: bool, year: bool
) -> None:
    assert (is_ordered(kind), is_number(kind), is_year(kind)) == (ordered, number, year)


@pytest.mark.parametrize(
    ("name", "said", "unsaid"),
    [
        ("length_km", "kilometres", "metres"),
        ("length_m", "metres", "kilometres"),
        ("length", "kilometres", "minutes"),  # the usual unit of a length
        ("length_min", "minutes", "km"),
        ("foo_kg", "kilos", "km"),
        ("foo_bar", None, "km"),
    ],
)
def test_the_unit_that_a_name_says_goes_before_the_usual_one(
    name: str, said: str | None, unsaid: str | None
) -> None:
    units = BOOK.property_phrases("Thing", PropertyKind(name, "FLOAT")).units
    assert said in units if said else not units
    assert unsaid not in units


@pytest.mark.parametrize(
    ("examples", "numbers"),
    [(("12", "7"), [12, 7]), (("12", "about 7"), []), (("007", "008"), []), ((), [])],
)
def test_numbers_may_be_stored_as_texts(examples: tuple[str, ...], numbers: list[float]) -> None:
    kind = PropertyKind("call_duration", "STRING", examples=examples)
    assert list_numbers(kind) == numbers
    assert is_number(kind) is bool(numbers)
