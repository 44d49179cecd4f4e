"""A query that leaves out a relation which the question names is hardly believed beside one that
has it."""

from __future__ import annotations

import pytest

from trellis.domain.decoding import Sentence
from trellis.domain.links import Link, Mention, StoredValue
from trellis.domain.schema import LabelKind, PropertyKind, RelationshipKind, Schema
from trellis.steps.queries.left_out_words import reweigh_left_out

NAME = (PropertyKind("name", "STRING"),)
SCHEMA = Schema(
    (LabelKind("Doctor", 9, "name", NAME), LabelKind("Department", 9, "name", NAME)),
    (
        RelationshipKind("HEADS", "Doctor", "Department", 9),
        RelationshipKind("WORKS_IN", "Doctor", "Department", 9),
        RelationshipKind("DEPARTMENT_OF", "Department", "Department", 9),
        RelationshipKind("KNOWS", "Doctor", "Doctor", 9),
        RelationshipKind("KNOWS_BY_PHONE", "Doctor", "Doctor", 9),
    ),
    18,
    9,
    "clinic",
)
HEADS = "list doctor heads department name v0"
WORKS = "list doctor works in department name v0"


def order(question: str, *sentences: str, mentions: tuple[Mention, ...] = ()) -> list[str]:
    written = [Sentence(text, (), (), -0.1 - 2 * i, 1) for i, text in enumerate(sentences)]
    return [each.text for each in reweigh_left_out(question, mentions, written, SCHEMA)]


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("Who is the head of Cardiology?", HEADS),
        ("Who heads Cardiology?", HEADS),
        ("Which doctors are in Cardiology?", WORKS),  # no relation is named: as the model says
        ("Which doctors of the department Cardiology?", WORKS),  # a label is called so, too
    ],
)
def test_a_named_relation_is_preferred(question: str, first: str) -> None:
    assert order(question, WORKS, HEADS)[0] == first


def test_what_no_query_says_changes_nothing() -> None:
    assert order("Who heads Cardiology?", WORKS, "list doctor")[0] == WORKS


def test_a_word_of_several_relations_decides_nothing() -> None:
    assert order("Whom does Ann know?", WORKS, "list doctor knows doctor")[0] == WORKS


def test_a_name_is_no_relation() -> None:
    stored = StoredValue("Doctor", "name", "Head", "STRING")
    mention = Mention(7, 11, "head", (Link(stored, 1.0, "name"),))
    assert order("Who is head?", WORKS, HEADS, mentions=(mention,))[0] == WORKS
