"""One of something that is named is not several of what lies in between."""

from __future__ import annotations

import pytest

from question_forms import make_form
from trellis.domain.graphs.graph import Node, PathQuery, RelationPath, Step
from trellis.domain.graphs.links import Link, Mention
from trellis.domain.graphs.schema import LabelKind, RelationshipKind, Schema
from trellis.steps.align.answer_types.asked_one import (
    FoundAnswers,
    explain_bridged_path,
)

FLOWS, CAPITAL = Step("FLOWS_THROUGH"), Step("HAS_CAPITAL")


def make_schema(*labels: str) -> Schema:
    country = labels[1] if len(labels) > 1 else labels[0]
    relationships = (
        RelationshipKind("FLOWS_THROUGH", labels[0], country, 9),
        RelationshipKind("HAS_CAPITAL", country, labels[-1], 9),
    )
    kinds = tuple(LabelKind(label, 9, "name") for label in labels)
    return Schema(kinds, relationships, 9, 9, "")


SCHEMA = make_schema("River", "Country", "City")


def explain(question: str, *steps: Step, count: int = 4, schema: Schema = SCHEMA) -> str:
    at = question.index("Danube")
    mention = Mention(at, at + 6, "Danube", (Link(Node("1", "Danube"), 1.0, "exact"),))
    query = PathQuery((RelationPath(("1",), steps),))
    form = make_form(question, [mention], schema)
    return explain_bridged_path(form, query, FoundAnswers(count, "capitals"))


def test_the_capitals_of_what_a_river_flows_through_are_no_capital_of_it() -> None:
    reason = explain("What is the capital of the Danube?", FLOWS, CAPITAL)
    assert reason == "the question asks for one capital, and what was found are 4: capitals"


@pytest.mark.parametrize(
    ("question", "steps", "count"),
    [
        ("What is the capital of the Danube?", (CAPITAL,), 4),  # its own
        ("What is the capital of the Danube?", (FLOWS,), 4),
        ("What is the capital of the Danube?", (FLOWS, CAPITAL), 0),
        ("What are the capitals of the Danube?", (FLOWS, CAPITAL), 4),
        ("What is the capital of the Danube's countries?", (FLOWS, CAPITAL), 4),
    ],
)
def test_other_answers_stay(question: str, steps: tuple[Step, ...], count: int) -> None:
    assert not explain(question, *steps, count=count)


def test_over_triples_relations_are_said_one_behind_the_other() -> None:
    question = "the capital of the Danube country"
    assert not explain(question, FLOWS, CAPITAL, schema=make_schema("Entity"))


def test_the_capital_of_the_only_country_that_a_river_flows_through_is_no_capital_of_it() -> None:
    reason = explain("What is the capital of the Danube?", FLOWS, CAPITAL, count=1)
    assert reason.endswith("what was found is that of something else: capitals")


def test_a_lake_has_no_neighbours_by_its_country() -> None:
    labels = tuple(LabelKind(name, 9, "name") for name in ("Lake", "Country"))
    kinds = (
        RelationshipKind("LAKE_IN", "Lake", "Country", 9),
        RelationshipKind("BORDERS", "Country", "Country", 9),
    )
    schema = Schema(labels, kinds, 9, 9, "lakes")
    question = "Which countries does the Danube border?"
    found = explain(question, Step("LAKE_IN"), Step("BORDERS"), schema=schema)
    assert found.startswith("the question says “border” of what it names")
    assert not explain(question, Step("BORDERS"), schema=schema)
    asked = "Which countries border the one that the Danube is in?"
    assert not explain(asked, Step("LAKE_IN"), Step("BORDERS"), schema=schema)


@pytest.mark.parametrize(
    ("question", "relation", "is_held_back"),
    [
        ("Which seas does the Danube lie on?", "HAS_COAST_ON", True),
        ("Which clubs does the Danube belong to?", "MEMBER_OF", True),
        ("Which currency does the Danube use?", "USES_CURRENCY", False),
        ("Which seas does the country of the Danube lie on?", "HAS_COAST_ON", False),
    ],
)
def test_what_a_city_has_from_its_country(question: str, relation: str, is_held_back: bool) -> None:
    labels = tuple(LabelKind(name, 9, "name") for name in ("City", "Country", "Sea"))
    kinds = (
        RelationshipKind("IN_COUNTRY", "City", "Country", 9),
        RelationshipKind(relation, "Country", "Sea", 9),
    )
    schema = Schema(labels, kinds, 9, 9, relation)
    found = explain(question, Step("IN_COUNTRY"), Step(relation), count=1, schema=schema)
    assert bool(found) is is_held_back


@pytest.mark.parametrize(
    ("question", "relation", "is_held_back"),
    [
        ("Which lake is the Danube on?", "LAKE_IN", True),
        ("Which lakes are in the country of the Danube?", "LAKE_IN", False),
        ("Which lake is the Danube by?", "HAS_COAST_ON", True),
    ],
)
def test_what_lies_in_a_whole_is_not_at_each_of_its_parts(
    question: str, relation: str, is_held_back: bool
) -> None:
    labels = tuple(LabelKind(name, 9, "name") for name in ("City", "Country", "Lake"))
    ends = ("Lake", "Country") if relation == "LAKE_IN" else ("Country", "Lake")
    kinds = (
        RelationshipKind("IN_COUNTRY", "City", "Country", 9),
        RelationshipKind(relation, *ends, 9),
    )
    schema = Schema(labels, kinds, 9, 9, f"at {relation}")
    last = Step(relation, relation == "LAKE_IN")
    found = explain(question, Step("IN_COUNTRY"), last, schema=schema)
    assert bool(found) is is_held_back
    assert not explain(question, Step("WORKS_IN"), last, schema=schema)
    assert bool(explain(question, Step("STANDS_IN"), last, schema=schema)) is is_held_back
    assert not explain(question, last, schema=schema)


def test_what_the_whole_lies_in_has_its_parts_too() -> None:
    labels = tuple(LabelKind(name, 9, "name") for name in ("City", "Country", "Continent"))
    kinds = (
        RelationshipKind("IN_COUNTRY", "City", "Country", 9),
        RelationshipKind("IN_CONTINENT", "Country", "Continent", 9),
    )
    schema = Schema(labels, kinds, 9, 9, "continents")
    question = "Which continent is the Danube in?"
    assert not explain(question, Step("IN_COUNTRY"), Step("IN_CONTINENT"), schema=schema)
