"""Answers that rest on another relation, or are of another kind, than the question says are held
back."""

from __future__ import annotations

from dataclasses import replace

import pytest

from question_forms import make_form
from small_schemas import build_schema
from trellis.domain.graphs.graph import Node
from trellis.domain.graphs.schema import PropertyKind, Schema
from trellis.domain.models.card import Calibration
from trellis.domain.replies.reply import Answer, Judgement
from trellis.steps.align.answer_types.asked_kind import explain_other_kind
from trellis.steps.align.answer_types.asked_value import explain_asked_text
from trellis.steps.align.doubt import Doubt
from trellis.steps.align.unsaid_relations import find_other_relations, find_unsaid_relations
from trellis.steps.link.vocabulary.worded_values import name_worded_values

VOICES = PropertyKind("voice", "STRING", values=("tenor", "bass-baritone"))


def make_opera() -> Schema:
    plain = build_schema(
        {"Person": "name born:INTEGER", "City": "name", "Opera": "name acts:INTEGER"},
        *("Person BORN_IN City", "Person DIED_IN City", "Opera COMPOSED_BY Person"),
        *("Person SANG_IN Opera", "Person CONDUCTED Opera"),
    )
    person, *others = plain.labels
    properties = tuple(
        replace(kind, values=("Ann",)) if kind.name == "name" else kind
        for kind in person.properties
    )
    singer = replace(person, properties=(*properties, VOICES))
    role = {"SANG_IN": (PropertyKind("role", "STRING"),)}
    return replace(
        plain, labels=(singer, *others), relationship_properties=role, fingerprint="opera"
    )


OPERA = make_opera()


@pytest.mark.parametrize(
    ("question", "relations", "names", "unsaid"),
    [
        ("Where was she born?", ["DIED_IN"], (), ["born"]),
        ("Where was she born?", ["BORN_IN"], (), []),
        ("When was she born?", [], ("born",), []),
        ("Who died where he was born?", ["DIED_IN", "BORN_IN"], (), []),
        ("Whose city is it?", ["DIED_IN"], (), []),
        ("Who died in the city?", ["DIED_IN"], (), []),
    ],
)
def test_a_word_of_another_relation_is_not_said(
    question: str, relations: list[str], names: tuple[str, ...], unsaid: list[str]
) -> None:
    assert find_other_relations(make_form(question, (), OPERA), relations, names) == unsaid


@pytest.mark.parametrize(
    ("question", "unsaid"),
    [
        ("Which conductors died there?", ["conductors"]),
        ("Which singer died there?", ["singer"]),
        ("Which composers died there?", ["composers"]),
        ("Which persons died there?", []),
    ],
)
def test_who_does_something_is_a_noun_of_that_relation(question: str, unsaid: list[str]) -> None:
    assert find_unsaid_relations(make_form(question, (), OPERA), ["DIED_IN"], ()) == unsaid


@pytest.mark.parametrize(
    ("question", "unsaid"),
    [
        ("Which singers are signed there?", ["singers"]),
        ("Which musicians are signed there?", []),
        ("Which servers are signed there?", []),  # a stage is no person
    ],
)
def test_persons_are_called_by_what_they_do_in_the_present_tense(
    question: str, unsaid: list[str]
) -> None:
    schema = build_schema(
        {"Musician": "name", "Band": "name", "Stage": "name", "Town": "name"},
        *("Musician SINGS_IN Band", "Musician SIGNED_TO Town", "Stage SERVES Town"),
    )
    form = make_form(question, (), replace(schema, fingerprint="bands"))
    assert find_unsaid_relations(form, ["SIGNED_TO"], ()) == unsaid


@pytest.mark.parametrize(
    ("question", "is_held"),
    [
        ("Which baritone sang in it?", True),
        ("Which tenors died there?", True),
        ("Which operas did a tenor sing in?", False),
        ("Who sang?", False),
    ],
)
def test_who_is_called_by_a_text_is_not_found_by_paths(question: str, *, is_held: bool) -> None:
    assert bool(explain_asked_text(make_form(question, (), OPERA), "what sang")) is is_held


@pytest.mark.parametrize(
    ("question", "label", "is_held"),
    [
        ("Which players died with her?", "Opera", True),
        ("Which players died with her?", "Person", False),
        ("Who died with her?", "Opera", False),  # labels may not tell agents
    ],
)
def test_a_noun_for_persons_asks_for_persons(question: str, label: str, *, is_held: bool) -> None:
    form = make_form(question, (), OPERA)
    assert bool(explain_other_kind(form, [Node("1", "Ann", (label,))], "died")) is is_held


@pytest.mark.parametrize(
    ("question", "asks_value"),
    [
        ("How many acts does it have?", True),
        ("Which role did she sing?", True),
        ("What acts has it?", True),
        ("How many operas are there?", False),
        ("Which cities are there?", False),
    ],
)
def test_a_propertys_noun_asks_for_its_value(question: str, *, asks_value: bool) -> None:
    assert make_form(question, (), OPERA).asks_value is asks_value


def test_a_name_that_is_nowhere_counts_though_the_confidence_was_fitted_on_others() -> None:
    judged = Judgement((Answer(Node("1", "Ann", ("Person",)), 1.0),), 0.9)
    others = Calibration(weights={"belief": 1.0}, is_general=True)
    own = replace(others, is_general=False, accuracy=0.9)
    doubt = Doubt(0.15, ("Met",))
    assert doubt.lower(judged, others).answers == ()
    assert doubt.lower(judged, own) == judged
    assert Doubt(0.5, (), ("tall",)).lower(judged, others).answers


def test_names_of_nodes_are_said_where_they_are_linked_alone() -> None:
    assert {value.name for value in name_worded_values(OPERA)} == {"tenor", "bass baritone"}
