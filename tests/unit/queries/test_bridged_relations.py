"""The tallest mountain in Asia is not the highest point of each of its countries, nor is a river's
capital that of each country that it flows through."""

from __future__ import annotations

from dataclasses import replace

import pytest

from question_forms import make_form
from trellis.domain.graphs.graph import Node
from trellis.domain.graphs.links import Link, Mention
from trellis.domain.graphs.schema import LabelKind, PropertyKind, RelationshipKind, Schema
from trellis.domain.structures.cypher import CypherQuery
from trellis.steps.align.answer_types.asked_one import FoundAnswers
from trellis.steps.align.queries.bridged_relations import (
    explain_bridged_one,
    explain_bridged_property,
    find_bridged_superlatives,
)
from trellis.steps.describe.queries.read_meaning import read_meaning

SCHEMA = Schema(
    tuple(LabelKind(label, 9, "name") for label in ("Mountain", "Country", "Continent", "City")),
    (
        RelationshipKind("HAS_HIGHEST_POINT", "Country", "Mountain", 9),
        RelationshipKind("IN_CONTINENT", "Country", "Continent", 9),
        RelationshipKind("BORDERS", "Country", "Country", 9),
        RelationshipKind("HAS_CAPITAL", "Country", "City", 9),
    ),
    4,
    36,
    "",
)
POINT = "MATCH (m:Mountain)<-[:HAS_HIGHEST_POINT]-(c:Country"
OF_ASIA = f"{POINT})-[:IN_CONTINENT]->(a:Continent WHERE a.name = $v0) RETURN m"
OF_IT = f"{POINT} WHERE c.name = $v0) RETURN m"
OF_NEIGHBOURS = f"{POINT})-[:BORDERS]-(d:Country WHERE d.name = $v0) RETURN m"
OF_WHAT = "MATCH (c:Country)-[:HAS_HIGHEST_POINT]->(m:Mountain WHERE m.name = $v0) RETURN c"


@pytest.mark.parametrize(
    ("question", "query", "is_bridged"),
    [
        ("What is the tallest mountain in Asia?", OF_ASIA, True),
        ("What are the highest points of the countries of Asia?", OF_ASIA, False),
        ("Which highest points are there in Asia?", OF_ASIA, False),
        ("What is the highest mountain of Asia?", OF_IT, False),
        ("The highest point of what borders Asia", OF_NEIGHBOURS, False),
        ("The highest point for Asia", OF_NEIGHBOURS, True),
        ("Of what is Asia the highest point?", OF_WHAT, False),
        ("Which continents are there beside Asia?", "MATCH (c:Continent) RETURN c", False),
    ],
)
def test_the_most_of_what_nobody_spoke_of(question: str, query: str, is_bridged: bool) -> None:
    at = question.index("Asia")
    asia = Mention(at, at + 4, "Asia", (Link(Node("a", "Asia"), 1.0, "exact"),))
    meaning = read_meaning(CypherQuery(query, {"v0": "Asia"}))
    assert meaning is not None
    found = find_bridged_superlatives(make_form(question, [asia], SCHEMA), meaning.graph)
    assert bool(found) is is_bridged


CURRENCY = RelationshipKind("USES_CURRENCY", "Country", "City", 9)
CAPITALS = (
    "MATCH (x:City)<-[:HAS_CAPITAL]-(c:Country)-[:IN_CONTINENT]->"
    "(a:Continent WHERE a.name = $v0) RETURN x"
)
CAPITAL = "MATCH (x:City)<-[:HAS_CAPITAL]-(c:Country WHERE c.name = $v0) RETURN x"


@pytest.mark.parametrize(
    ("question", "query", "rows", "is_held_back"),
    [
        ("What is the capital of Asia?", CAPITALS, 2, True),
        ("capital of the Asia", CAPITALS, 2, True),
        ("What is the capital of Asia?", CAPITALS, 0, False),
        ("What is the capital of Asia?", CAPITAL, 2, False),
        ("What are the capitals of Asia?", CAPITALS, 2, False),
        ("What is the capital of Asia's neighbour?", CAPITALS, 2, False),
        ("Which country of Asia is it?", CAPITALS, 2, False),
        ("Which cities are in Asia?", "MATCH (c:City) RETURN c", 2, False),
    ],
)
def test_one_of_something_is_not_several_by_way_of_something_else(
    question: str, query: str, rows: int, is_held_back: bool
) -> None:
    at = question.index("Asia")
    asia = Mention(at, at + 4, "Asia", (Link(Node("a", "Asia"), 1.0, "exact"),))
    meaning = read_meaning(CypherQuery(query, {"v0": "Asia"}))
    assert meaning is not None
    form = make_form(question, [asia], SCHEMA)
    reason = explain_bridged_one(form, meaning.graph, FoundAnswers(rows, "the capitals"))
    told = f"the question asks for one capital, and what was found are {rows}: the capitals"
    assert reason == (told if is_held_back else "")


def test_what_is_a_things_own_is_not_that_of_what_it_belongs_to() -> None:
    asia = Mention(23, 27, "Asia", (Link(Node("a", "Asia"), 1.0, "exact"),))
    meaning = read_meaning(CypherQuery(CAPITALS, {"v0": "Asia"}))
    assert meaning is not None
    form, found = make_form("What is the capital of Asia?", [asia], SCHEMA), "the capital"
    reason = explain_bridged_one(form, meaning.graph, FoundAnswers(1, found))
    assert "is that of something else: the capital" in reason
    currency = replace(
        SCHEMA, relationships=(*SCHEMA.relationships[1:3], CURRENCY), fingerprint="currency"
    )
    query = CypherQuery(CAPITALS.replace("HAS_CAPITAL", "USES_CURRENCY"), {"v0": "Asia"})
    meaning = read_meaning(query)
    assert meaning is not None
    asia = Mention(24, 28, "Asia", asia.links)
    form = make_form("What is the currency of Asia?", [asia], currency)
    assert explain_bridged_one(form, meaning.graph, FoundAnswers(1, "the currency")) == ""


@pytest.mark.parametrize(
    ("question", "rows", "is_held_back"),
    [
        ("What is the population of Asia?", 2, True),
        ("What are the populations of Asia?", 2, False),
        ("What is the population of Asia?", 1, False),
        ("What is the name of Asia?", 2, False),
    ],
)
def test_one_property_is_not_several_of_what_is_in_between(
    question: str, rows: int, is_held_back: bool
) -> None:
    country = LabelKind("Country", 9, "name", (PropertyKind("population", "INTEGER"),))
    labels = (country, *SCHEMA.labels[2:])
    schema = replace(SCHEMA, labels=labels, fingerprint="populations")
    text = "MATCH (c:Country)-[:IN_CONTINENT]->(a:Continent WHERE a.name = $v0) RETURN c.population"
    at = question.index("Asia")
    asia = Mention(at, at + 4, "Asia", (Link(Node("a", "Asia"), 1.0, "exact"),))
    meaning = read_meaning(CypherQuery(text, {"v0": "Asia"}))
    assert meaning is not None
    found = FoundAnswers(rows, "populations")
    reason = explain_bridged_property(make_form(question, [asia], schema), meaning.graph, found)
    assert bool(reason) is is_held_back
