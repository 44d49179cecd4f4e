"""Queries whose parts contradict one another are not what anybody asked for."""

from __future__ import annotations

import pytest

from trellis.automata.cypher.indexed_schema import IndexedSchema
from trellis.domain.cypher import CypherQuery
from trellis.domain.schema import LabelKind, PropertyKind, Schema
from trellis.steps.align.queries.misreadings import (
    contradicts_question,
    explain_loose_part,
    is_incoherent_query,
)
from trellis.steps.describe.queries.read_meaning import read_meaning


@pytest.mark.parametrize(
    ("returned", "misbuilt"),
    [
        ("sum(x0.budget), x0.budget", True),  # the sum of each budget
        ("sum(x0.budget)", False),
        ("x0.title, sum(x0.budget)", False),
        ("x0.budget, count(x0)", False),
        ("x0.budget, sum(x0.runtime)", False),
    ],
)
def test_an_aggregate_is_not_of_one_value(returned: str, misbuilt: bool) -> None:
    meaning = read_meaning(CypherQuery(f"MATCH (x0:Movie) RETURN {returned}"))
    assert meaning is not None
    assert is_incoherent_query("what is the sum of the budgets", meaning) is misbuilt


@pytest.mark.parametrize(
    ("query", "misbuilt"),
    [
        ("MATCH (c:Call {date: '1/8/2017'}) RETURN c.date", True),  # which the question says
        ("MATCH (c:Call {date: '1/8/2017'}) RETURN c.time", False),
        ("MATCH (c:Call {date: '1/8/2017'}) RETURN count(c.date)", False),
        ("MATCH (c:Call) WHERE c.date <> '1/8/2017' RETURN c.date", False),
        ("MATCH (c:Call) WHERE c.date IN ['1/8/2017', '2/8/2017'] RETURN c.date", False),
        ("MATCH (c:Call {date: '1/8/2017'})-[:TO]->(d:Call) RETURN d.date", False),
        ("MATCH (p:Person {name: 'Ann Lee'}) RETURN p.name", False),  # of whom `Ann` may be said
    ],
)
def test_a_question_does_not_ask_for_what_it_says(query: str, misbuilt: bool) -> None:
    meaning = read_meaning(CypherQuery(query))
    assert meaning is not None
    assert is_incoherent_query("when was there a call on 1/8/2017", meaning) is misbuilt


@pytest.mark.parametrize(
    ("query", "misbuilt"),
    [
        ("(p)-[:MADE]->(m:Film) WHERE NOT EXISTS { (p)-[:MADE]->(:Film) }", True),
        ("(m:Film)<-[:MADE]-(p) WHERE NOT EXISTS { (p)-[:MADE]->(:Film) }", True),
        ("(p)-[:MADE]->(m:Film) WHERE NOT EXISTS { (p)-[:MADE]->(:Film {name: 'It'}) }", False),
        ("(p)-[:MADE]->(m:Film) WHERE NOT EXISTS { (p)-[:MADE]->(:Song) }", False),
        ("(p)-[:MADE]->(m:Film) WHERE NOT EXISTS { (p)-[:SAW]->(:Film) }", False),
        ("(p)-[:MADE]->(m:Film) WHERE NOT EXISTS { (m)-[:MADE]->(:Film) }", False),
    ],
)
def test_nobody_has_what_they_have_none_of(query: str, misbuilt: bool) -> None:
    meaning = read_meaning(CypherQuery(f"MATCH (p:Person) MATCH {query} RETURN p"))
    assert meaning is not None
    assert is_incoherent_query("who made a film but no other", meaning) is misbuilt


@pytest.mark.parametrize(
    ("direction", "misread"), [("DESC", True), ("", False)], ids=["latest", "earliest"]
)
def test_the_first_is_not_the_latest_of_those_that_are_kept(direction: str, misread: bool) -> None:
    asked = f"MATCH (s:Shift) WITH s ORDER BY s.begins {direction} LIMIT 1 MATCH (s)-[:OF]->(p) "
    meaning = read_meaning(CypherQuery(f"{asked} RETURN p"))
    assert meaning is not None
    kinds = (PropertyKind("begins", "ZONED DATETIME"),)
    known = IndexedSchema(Schema((LabelKind("Shift", 9, None, kinds),), (), 9, 0, "shifts"))
    assert contradicts_question("whose shift begins first", meaning, known) is misread


@pytest.mark.parametrize(
    ("question", "misread"),
    [
        ("which ferry leaves before Elva", True),
        ("which ferry is called something before Elva by name", False),
    ],
)
def test_what_comes_before_is_no_matter_of_letters(question: str, misread: bool) -> None:
    asked = "MATCH (f:Ferry) MATCH (g:Ferry WHERE g.name = 'Elva') WHERE f.name < g.name RETURN f"
    meaning = read_meaning(CypherQuery(asked))
    assert meaning is not None
    kinds = (PropertyKind("name", "STRING", examples=("Elva",)),)
    known = IndexedSchema(Schema((LabelKind("Ferry", 9, "name", kinds),), (), 9, 0, "ferries"))
    assert contradicts_question(question, meaning, known) is misread


@pytest.mark.parametrize(
    ("query", "is_held"),
    [
        ("MATCH (f:Ferry) MATCH (g:Ferry WHERE g.name = 'Elva') RETURN f", True),
        ("MATCH (f:Ferry) MATCH (g:Ferry WHERE g.name = 'Elva') RETURN f, g", False),
        ("MATCH (f:Ferry)-[:TO]->(p:Port) RETURN f", False),
    ],
)
def test_parts_that_nothing_ties_together_are_no_answer(query: str, is_held: bool) -> None:
    assert bool(explain_loose_part(read_meaning(CypherQuery(query)), "ferries")) is is_held
