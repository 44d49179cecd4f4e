"""The tallest mountain in Asia is not the highest point of each of its countries."""

from __future__ import annotations

import pytest

from trellis.domain.cypher import CypherQuery
from trellis.domain.graph import Node
from trellis.domain.links import Link, Mention
from trellis.domain.schema import LabelKind, RelationshipKind, Schema
from trellis.steps.queries.bridged_superlatives import find_bridged_superlatives
from trellis.steps.queries.read_meaning import read_meaning

SCHEMA = Schema(
    tuple(LabelKind(label, 9, "name") for label in ("Mountain", "Country", "Continent")),
    (
        RelationshipKind("HAS_HIGHEST_POINT", "Country", "Mountain", 9),
        RelationshipKind("IN_CONTINENT", "Country", "Continent", 9),
        RelationshipKind("BORDERS", "Country", "Country", 9),
    ),
    3,
    27,
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
    found = find_bridged_superlatives(question, [asia], meaning.graph, SCHEMA)
    assert bool(found) is is_bridged
