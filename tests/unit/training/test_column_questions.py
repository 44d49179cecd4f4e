"""Questions for several columns, and for nodes that are called by a part that they have."""

from __future__ import annotations

import random

import pytest

from small_schemas import build_schema
from trellis.automata.cypher.options import RenderingOptions
from trellis.domain.graphs.schema import LabelKind, PropertyKind, RelationshipKind, Schema
from trellis.lexicon.phrasebook import Phrasebook
from trellis.training.synthesis.operators.examples import spell_drawn_question
from trellis.training.synthesis.operators.kinds.columns import ask_columns
from trellis.training.synthesis.operators.parts.drawing import Drawing
from trellis.training.synthesis.operators.parts.patterns import Directions
from trellis.training.synthesis.operators.parts.set_drawing import SetDrawer
from trellis.training.synthesis.operators.parts.topics import DrawnQuestion, Topics

NAME = PropertyKind("name", "STRING")
COUNTRY = LabelKind(
    "Country", 100, "name", (NAME, PropertyKind("area", "INTEGER"), PropertyKind("code", "STRING"))
)
CITY = LabelKind("City", 900, "name", (NAME, PropertyKind("population", "INTEGER")))
RIVER = LabelKind("River", 50, "name", (NAME,))
RELATIONS = (
    RelationshipKind("HAS_CAPITAL", "Country", "City", 100),
    RelationshipKind("IN_COUNTRY", "City", "Country", 900),
    RelationshipKind("LIES_ON_RIVER", "City", "River", 200),
)
SCHEMA = Schema((COUNTRY, CITY, RIVER), RELATIONS, 1050, 1200, "f")
BOOK = Phrasebook.of_schema(SCHEMA)


@pytest.fixture(scope="module")
def sentences() -> list[str]:
    drawing = Drawing.begin(SCHEMA, BOOK, 3)
    found = []
    for number in range(200):
        own = drawing.clear_topics()
        draft = ask_columns(own)
        drawn = draft and DrawnQuestion(draft.text, draft.cypher, tuple(own.topics.listed))
        spelled = drawn and spell_drawn_question(SCHEMA, drawn, RenderingOptions(), {}, number)
        if spelled:
            found.append("".join(spelled.example.segments))
    return found


def count_columns(sentence: str) -> tuple[int, int]:
    """How many nodes and how many properties a sentence returns."""
    return sentence.count(" list "), sentence.count(" show ")


def test_there_are_two_columns_at_least_of_nodes_properties_and_both(sentences: list[str]) -> None:
    counts = {count_columns(sentence) for sentence in sentences}
    assert all(nodes + properties >= 2 for nodes, properties in counts), counts
    assert {(0, 2), (1, 1), (1, 2), (2, 0), (2, 1)} <= counts


def test_a_noun_of_a_relation_stands_for_the_nodes_that_have_it() -> None:
    drawer = SetDrawer(SCHEMA, BOOK, random.Random(1), Directions())
    asked = [drawer.draw_set("City", Topics(), 0) for _ in range(2_000)]
    called = {each.noun: each.matches for each in asked if each and each.matches}
    assert called["capitals"] == ("<-[:`HAS_CAPITAL`]-(:`Country`)",)
    assert "cities" not in called


def test_persons_are_called_by_what_they_do_to_things_however_many_do() -> None:
    relations = ("Person ACTED_IN Film", "Person DIRECTED Film", "Person KNOWS Person")
    schema = build_schema("Person Film", *relations)
    drawer = SetDrawer(schema, Phrasebook.of_schema(schema), random.Random(1), Directions())
    asked = [drawer.draw_set("Person", Topics(), 0) for _ in range(400)]
    called = {each.noun: each.matches for each in asked if each and each.matches}
    assert called["actors"] == ("-[:`ACTED_IN`]->(:`Film`)",)
    assert called["directors"] == ("-[:`DIRECTED`]->(:`Film`)",)
    assert not any("KNOWS" in match for matches in called.values() for match in matches)


@pytest.mark.parametrize("label", ["Country", "River"])
def test_a_relation_that_nearly_all_have_gives_no_noun(label: str) -> None:
    drawer = SetDrawer(SCHEMA, BOOK, random.Random(1), Directions())
    asked = [drawer.draw_set(label, Topics(), 0) for _ in range(200)]
    assert not any(each.matches for each in asked if each)
