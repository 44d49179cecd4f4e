"""What a question asks of its answers that paths cannot say."""

from __future__ import annotations

import pytest

from trellis.domain.graph import Node
from trellis.domain.links import Link, Mention
from trellis.domain.schema import LabelKind, PropertyKind, RelationshipKind, Schema
from trellis.steps.shared.label_words import LabelWords
from trellis.steps.shared.unshown_properties import find_unshown_properties, note_unshown

CITY = ("name", "population", "bloodGroup", "capital", "mayor")
WORDS = LabelWords(
    Schema(
        (
            LabelKind("City", 3, "name", tuple(PropertyKind(name, "STRING") for name in CITY)),
            LabelKind("Mayor", 3, "name", (PropertyKind("name", "STRING"),)),
        ),
        (RelationshipKind("HAS_CAPITAL", "City", "City", 1),),
        6,
        1,
        "",
    )
)


@pytest.mark.parametrize(
    ("question", "unshown"),
    [
        ("List the cities of Peru with their Population", ("Population",)),
        ("List all populations and the blood group of each", ("blood group", "populations")),
        ("What is the capital of Peru?", ()),
        ("Who is the mayor of the city of this name?", ()),
        ("Populations", ("Populations",)),
        ("", ()),
    ],
)
def test_nouns_of_properties_alone_are_unshown(question: str, unshown: tuple[str, ...]) -> None:
    assert find_unshown_properties(question, (), WORDS) == unshown


def test_a_name_asks_for_nothing() -> None:
    question = "Where is Population?"
    named = Mention(9, 19, "Population", (Link(Node("1", "Population"), 1.0, "exact"),))
    assert find_unshown_properties(question, (named,), WORDS) == ()


def test_a_note_says_what_is_left_out() -> None:
    assert note_unshown(()) == ""
    assert note_unshown(("area", "population")) == (
        "the question asks for more, which is left out here: “area” and “population”"
    )
