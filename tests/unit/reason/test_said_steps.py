"""Of a path that goes round a false premise the question says only a part."""

from __future__ import annotations

import pytest

from question_forms import make_form
from trellis.domain.graphs.graph import Node, Step
from trellis.domain.graphs.links import Link, Mention
from trellis.domain.graphs.schema import LabelKind, RelationshipKind, Schema
from trellis.steps.align.said_steps import measure_own_words, measure_said_steps
from trellis.steps.link.vocabulary.schema_vocabulary import read_schema_vocabulary

SCHEMA = Schema(
    tuple(LabelKind(label, 9, "name") for label in ("River", "Country", "City", "Film")),
    (
        RelationshipKind("FLOWS_THROUGH", "River", "Country", 9),
        RelationshipKind("HAS_CAPITAL", "Country", "City", 9),
        RelationshipKind("DIRECTED_BY", "Film", "Entity", 9),
        RelationshipKind("R0231", "Film", "Film", 9),
        RelationshipKind("LOCATED_IN", "City", "Country", 9),
    ),
    4,
    36,
    "",
)


@pytest.mark.parametrize(
    ("question", "relations", "share"),
    [
        ("What is the capital of the Ister?", "FLOWS_THROUGH HAS_CAPITAL", 0.5),
        ("Capitals of countries the Ister flows through", "FLOWS_THROUGH HAS_CAPITAL", 1.0),
        ("Capitals at the mouth of the Ister", "FLOWS_THROUGH HAS_CAPITAL", 0.5),
        ("Which countries lie along the Ister?", "FLOWS_THROUGH", 1.0),
        ("Where does the Ister flow?", "FLOWS_THROUGH", 1.0),
        ("Who made the Ister?", "DIRECTED_BY", 1.0),
        ("When was the Ister released?", "DIRECTED_BY", 0.0),
        ("Give me the r0231 of the Ister", "R0231", 1.0),
        ("Whatever became of the Ister?", "R0231", 0.0),
        ("Where is the Ister located?", "LOCATED_IN", 1.0),
        ("Who located the Ister?", "LOCATED_IN", 0.0),
        ("What was located in the Ister when it began?", "LOCATED_IN", 1.0),
        ("Who directed what is located in the Ister?", "LOCATED_IN DIRECTED_BY", 1.0),
        ("In which country is the Ister located?", "LOCATED_IN", 1.0),
        ("Is there an Ister?", "", 1.0),
    ],
)
def test_steps_are_said_by_words_of_theirs(question: str, relations: str, share: float) -> None:
    assert measure(question, relations) == share


@pytest.mark.parametrize(
    ("question", "relations", "share"),
    [
        ("What is the capital of the Ister?", "HAS_CAPITAL", 1.0),
        ("What is the capital of the Ister?", "LOCATED_IN", 0.5),
        ("Which mayor sold the capital?", "LOCATED_IN", 0.0),
        ("Which cities are located in it?", "LOCATED_IN", 1.0),
        ("What is it?", "LOCATED_IN", 1.0),
        ("Which city did she sell?", "", 0.5),
    ],
)
def test_words_of_other_relations_are_counted(question: str, relations: str, share: float) -> None:
    steps = [Step(name) for name in relations.split()]
    assert measure_own_words(make_form(question, (), SCHEMA), steps, "what it is") == share


def test_steps_over_an_event_are_said_by_its_verbs() -> None:
    relationships = (
        RelationshipKind("PLACED", "Customer", "Order", 9),
        RelationshipKind("CONTAINS", "Order", "Product", 9),
    )
    labels = ("Customer", "Order", "Product")
    kinds = tuple(LabelKind(label, 9, "name") for label in labels)
    schema = Schema(kinds, relationships, 9, 9, "orders")
    steps = (Step("PLACED"), Step("CONTAINS"))
    for question, share in (("What did she buy?", 1), ("Whatever she purchased", 1), ("Hers?", 0)):
        assert measure_said_steps(make_form(question, (), schema), steps) == share
    assert {"bought", "ordered"} <= read_schema_vocabulary(schema).wording


def test_names_that_are_mentioned_say_nothing() -> None:
    assert measure("What about the Capital Ister?", "HAS_CAPITAL", "Capital Ister") == 0.0


def measure(question: str, relations: str, name: str = "Ister") -> float:
    start = question.index(name)
    link = Link(Node("i", name), 1.0, "exact-case")
    mention = Mention(start, start + len(name), name, (link,))
    steps = [Step(relation) for relation in relations.split()]
    return measure_said_steps(make_form(question, [mention], SCHEMA), steps)
