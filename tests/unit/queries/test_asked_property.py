"""The property that a question asks for by its noun, wherever that stands."""

from __future__ import annotations

import pytest

from question_forms import make_form
from trellis.domain.graphs.schema import LabelKind, PropertyKind, RelationshipKind, Schema
from trellis.steps.align.answer_types.asked_property import find_asked_property
from trellis.steps.link.vocabulary.schema_vocabulary import read_schema_vocabulary

SCHEMA = Schema(
    (
        LabelKind("Crime", 9, None, (PropertyKind("date", "STRING"),)),
        LabelKind("Call", 9, None, (PropertyKind("call_date", "STRING"),)),
        LabelKind("Officer", 9, None, (PropertyKind("badge_no", "STRING"),)),
    ),
    (RelationshipKind("INVESTIGATED_BY", "Crime", "Officer", 9),),
    *(27, 9, "police"),
)
DATES = {("Crime", "date"), ("Call", "call_date")}


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("Can you provide the date of the initial crime in the park?", DATES),
        ("Can you find the oldest crime date at the park?", {("Crime", "date")}),
        ("Do you know the badge number of the officer?", {("Officer", "badge_no")}),
        ("Provide the badge number of the officer", {("Officer", "badge_no")}),
        ("Can officers have the date of a crime?", set()),
        ("Does the officer know the date of the crime?", set()),
        ("Who knows the latest crime?", set()),
    ],
)
def test_a_request_names_the_property_it_wants(question: str, asked: set[tuple[str, str]]) -> None:
    assert find_asked_property(make_form(question, (), SCHEMA)) == asked


CALLS = Schema(
    (
        LabelKind("Phone", 9, "phoneNo", (PropertyKind("phoneNo", "STRING"),)),
        LabelKind("Email", 9, "email_address", (PropertyKind("email_address", "STRING"),)),
        LabelKind(
            "Location",
            9,
            "address",
            (PropertyKind("address", "STRING"), PropertyKind("postcode", "STRING")),
        ),
        LabelKind("PostCode", 9, "code", (PropertyKind("code", "STRING"),)),
        LabelKind("Person", 9, "name", (PropertyKind("name", "STRING"),)),
    ),
    (
        RelationshipKind("CURRENT_ADDRESS", "Person", "Location", 9),
        RelationshipKind("HAS_PHONE", "Person", "Phone", 9),
        RelationshipKind("HAS_POSTCODE", "Location", "PostCode", 9),
    ),
    *(45, 27, "calls"),
)
NUMBERS = {("Phone", "phoneNo")}
ADDRESSES = {("Email", "email_address"), ("Location", "address")}


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("From which numbers has Ann been called?", NUMBERS),
        ("Can you identify the phone number that called Ann?", NUMBERS),
        ("Which phones called Ann?", set()),
        ("What are the addresses of people named Ann?", ADDRESSES),
        ("Can you provide the addresses of homes which are near?", ADDRESSES),
        ("Can you provide the homes which are addresses of Ann?", set()),
        ("What is the postal code for 1 High Street?", set()),
        ("Can you provide the post codes for Ann?", set()),
        ("What are the names of people?", set()),
    ],
)
def test_what_names_nodes_is_asked_for_by_its_noun(
    question: str, asked: set[tuple[str, str]]
) -> None:
    assert find_asked_property(make_form(question, (), CALLS)) == asked


def test_a_label_that_is_written_as_two_words_has_the_nouns_of_the_one() -> None:
    assert "PostCode" in read_schema_vocabulary(CALLS).find_labels("zip codes")
