"""The property that a question asks for by its noun, wherever that stands."""

from __future__ import annotations

import pytest

from trellis.domain.schema import LabelKind, PropertyKind, RelationshipKind, Schema
from trellis.steps.queries.asked_property import find_asked_property
from trellis.steps.shared.label_words import read_label_words

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
    assert find_asked_property(question, (), read_label_words(SCHEMA)) == asked
