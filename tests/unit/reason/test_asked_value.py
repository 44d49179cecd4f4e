"""Whether a property or an amount is asked for, and what that makes of what paths reach."""

from __future__ import annotations

import math

import pytest

from question_forms import make_form
from trellis.domain.graphs.graph import Node
from trellis.domain.graphs.schema import LabelKind, PropertyKind, RelationshipKind, Schema
from trellis.domain.models.decoding import Sentence
from trellis.domain.replies.reply import Finding, GroundedNode
from trellis.steps.align.answer_types.asked_value import doubt_other_than_values
from trellis.steps.link.vocabulary.schema_vocabulary import read_schema_vocabulary

CITY = ("name", "population", "bloodGroup", "capital", "mayor")
SCHEMA = Schema(
    (
        LabelKind("City", 3, "name", tuple(PropertyKind(name, "STRING") for name in CITY)),
        LabelKind("Mayor", 3, "name", (PropertyKind("name", "STRING"),)),
    ),
    (RelationshipKind("HAS_CAPITAL", "City", "City", 1),),
    6,
    1,
    "",
)


@pytest.mark.parametrize(
    ("question", "is_value"),
    [
        ("What is the population of Lindau?", True),
        ("what's Lindau's population?", True),
        ("Tell me the blood group of Ann", True),
        ("How much does Lindau cost?", True),
        ("How tall is Ann?", True),
        ("How many metres is Ann tall?", True),
        ("the population of Lindau", True),
        ("Lindau's population", True),
        ("Give me the population of Lindau", True),
        ("the mayor of Lindau", False),
        ("What is the capital of Lindau?", False),  # a relation is called so, too
        ("Who is the mayor of Lindau?", False),
        ("What is the mayor of Lindau?", False),  # a label is called so, too
        ("What is the name of Lindau's capital?", False),
        ("Which city has a population like Lindau's?", False),
        ("How many people live in Lindau?", False),  # a set that is found is counted
    ],
)
def test_whether_a_value_is_asked_for(question: str, is_value: bool) -> None:
    assert make_form(question, (), SCHEMA).asks_value is is_value


def test_a_number_is_asked_for_by_its_name_although_a_label_is_called_so() -> None:
    kinds = (PropertyKind("name", "STRING"), PropertyKind("area_km2", "FLOAT"))
    schema = Schema((LabelKind("Region", 3, "name", kinds),), (), 3, 0, "")
    assert read_schema_vocabulary(schema).find_labels("area")
    assert make_form("the area of Lindau", (), schema).asks_value


def test_people_are_an_amount_where_no_node_is_one() -> None:
    schema = Schema((LabelKind("City", 3, "name"),), (), 3, 0, "")
    labelless = Schema((LabelKind("Entity", 3, "name"),), (), 3, 0, "")
    question = "How many people live in Lindau?"
    assert make_form(question, (), schema).asks_value
    assert not make_form(question, (), labelless).asks_value
    assert not make_form("How many cities are there?", (), schema).asks_value


def finding(probability: float, name: str) -> Finding:
    return Finding("", probability, (GroundedNode(Node(name, name), ()),))


def doubt(*findings: Finding) -> list[tuple[str, float]]:
    sentences = [Sentence("", (), (), math.log(f.probability), 1) for f in findings]
    ordered, kept = doubt_other_than_values(sentences, findings)
    assert [math.exp(each.score) for each in ordered] == pytest.approx(
        [each.probability for each in kept]
    )
    return [(each.nodes[0].node.name, each.probability) for each in kept]


def test_a_number_is_preferred_to_a_name() -> None:
    [(first, sure), (second, doubtful)] = doubt(finding(0.8, "Ann"), finding(0.1, "50,000"))
    assert (first, second) == ("50,000", "Ann")
    assert sure > 5 * doubtful


def test_names_alone_are_hardly_believed() -> None:
    believed = doubt(finding(0.9, "Ann"), finding(0.05, "V-1009"))
    assert sum(probability for _, probability in believed) < 0.1


def test_people_are_persons_of_any_kind() -> None:
    labels = tuple(LabelKind(label, 3, "name") for label in ("Person", "User", "Film"))
    words = read_schema_vocabulary(Schema(labels, (), 9, 0, "people"))
    assert words.find_labels("people") == {"Person", "User"}
    assert words.find_labels("users") == {"User"}
