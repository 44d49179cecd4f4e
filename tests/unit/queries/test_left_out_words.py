"""A query that leaves out a relation or a label which the question names is hardly believed beside
one that has it."""

from __future__ import annotations

import pytest

from trellis.domain.cypher import CypherQuery
from trellis.domain.decoding import Sentence
from trellis.domain.links import Link, Mention, StoredValue
from trellis.domain.schema import LabelKind, PropertyKind, RelationshipKind, Schema
from trellis.steps.align.queries.left_out_words import (
    reweigh_flags_left_out,
    reweigh_labels_left_out,
    reweigh_left_out,
)

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


def test_a_word_of_several_relations_says_one_of_them() -> None:
    knows, by_phone = "list doctor knows doctor", "list doctor knows by phone doctor"
    assert order("Who is known by Ann?", WORKS, by_phone)[0] == by_phone
    assert order("Whom does Ann know?", by_phone, knows)[0] == by_phone


def test_a_name_is_no_relation() -> None:
    stored = StoredValue("Doctor", "name", "Head", "STRING")
    mention = Mention(7, 11, "head", (Link(stored, 1.0, "name"),))
    assert order("Who is head?", WORKS, HEADS, mentions=(mention,))[0] == WORKS


VEHICLES = Schema(
    (
        LabelKind("Crime", 9, "type", (PropertyKind("type", "STRING"),)),
        LabelKind("Vehicle", 9, "model", (PropertyKind("model", "STRING"),)),
        LabelKind("Phone", 9, "name", NAME),
        LabelKind("PhoneCall", 9, "name", NAME),
    ),
    (RelationshipKind("INVOLVED_IN", "Vehicle", "Crime", 9),),
    36,
    9,
    "police",
)
CRIMES = "MATCH (x:Crime) RETURN x"
OF_A_TYPE = "MATCH (x:Crime {type: 'Vehicle crime'}) RETURN x"
WITH_VEHICLES = "MATCH (x:Crime)<-[:INVOLVED_IN]-(:Vehicle) RETURN x"
CALLS = "MATCH (x:PhoneCall) RETURN x"


@pytest.mark.parametrize(
    ("question", "queries", "first"),
    [
        ("Which crimes were vehicle-related?", (CRIMES, WITH_VEHICLES), WITH_VEHICLES),
        ("Which crimes were about cars?", (CRIMES, WITH_VEHICLES), WITH_VEHICLES),
        ("Which crimes were vehicle-related?", (OF_A_TYPE, WITH_VEHICLES), OF_A_TYPE),
        ("Which crimes happened?", (CRIMES, WITH_VEHICLES), CRIMES),
        ("Which phones rang?", (CALLS, CRIMES), CALLS),  # two labels are called so
        ("Which crimes were vehicle-related?", (CRIMES, CALLS), CRIMES),  # no query has it
    ],
)
def test_a_label_that_is_named_is_in_the_query(
    question: str, queries: tuple[str, ...], first: str
) -> None:
    assert order_queries(question, queries) == first


def test_a_noun_in_a_name_names_no_label() -> None:
    stored = StoredValue("Crime", "type", "Vehicle crime", "STRING")
    mention = Mention(13, 26, "vehicle crime", (Link(stored, 1.0, "name"),))
    question = "Was there no vehicle crime?"
    assert order_queries(question, (CRIMES, WITH_VEHICLES), mention) == CRIMES
    assert order_queries(question, (CRIMES, WITH_VEHICLES)) == WITH_VEHICLES


def order_queries(question: str, queries: tuple[str, ...], *mentions: Mention) -> str:
    written = [
        Sentence(text, (), (CypherQuery(text, {}),), -0.1 - 2 * i, 1)
        for i, text in enumerate(queries)
    ]
    return reweigh_labels_left_out(question, mentions, written, VEHICLES)[0].text


SHOP = Schema(
    (
        LabelKind(
            "Supplier",
            9,
            "name",
            (*NAME, PropertyKind("preferred", "BOOLEAN"), PropertyKind("hasDepot", "BOOLEAN")),
        ),
    ),
    (),
    9,
    0,
    "shop",
)
ALL = "MATCH (s:Supplier) RETURN s"
PREFERRED = "MATCH (s:Supplier {preferred: true}) RETURN s"
DEPOTS = "MATCH (s:Supplier {hasDepot: false}) RETURN s"


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("Which preferred suppliers are there?", PREFERRED),
        ("suppliers without a depot", DEPOTS),
        ("Which suppliers are there?", ALL),
        ("Which suppliers do people prefer?", ALL),
    ],
)
def test_a_flag_that_the_question_says_is_not_left_out(question: str, first: str) -> None:
    written = [
        Sentence(text, (), (CypherQuery(text),), -0.1 - i, 1)
        for i, text in enumerate((ALL, PREFERRED, DEPOTS))
    ]
    assert reweigh_flags_left_out(question, (), written, SHOP)[0].text == first
    alone = reweigh_flags_left_out(question, (), written[:1], SHOP)
    assert alone[0].text == ALL
