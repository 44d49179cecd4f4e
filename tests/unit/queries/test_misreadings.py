"""Queries whose parts contradict one another are not what anybody asked for."""

from __future__ import annotations

import pytest

from trellis.automata.cypher.indexed_schema import IndexedSchema
from trellis.domain.cypher import CypherQuery
from trellis.domain.schema import LabelKind, Schema
from trellis.steps.align.queries.misreadings import explain_half_denied, is_misbuilt, is_misread
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
    assert is_misbuilt("what is the sum of the budgets", meaning) is misbuilt


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
    assert is_misbuilt("when was there a call on 1/8/2017", meaning) is misbuilt


@pytest.mark.parametrize(
    ("question", "query", "misread"),
    [
        ("neither a coast nor a lake", "NOT EXISTS { (c)-[:COAST_ON]->(:Sea) }", True),
        ("no coast", "NOT EXISTS { (c)-[:COAST_ON]->(:Sea) }", False),
        (
            "neither a coast nor a lake",
            "NOT EXISTS { (c)-[:COAST_ON]->(:Sea) } AND NOT EXISTS { (c)<-[:LAKE_IN]-(:Lake) }",
            False,
        ),
        ("neither Chad nor Mali", "c.name <> 'Chad'", True),
        ("neither Chad nor Mali", "NOT c.name IN ['Chad', 'Mali']", False),
        (
            "neither in the EU nor in NATO",
            "NOT EXISTS { (c)-[:MEMBER_OF]->(o:Club) WHERE o.name IN ['EU', 'NATO'] }",
            False,
        ),
    ],
)
def test_neither_denies_two_things(question: str, query: str, misread: bool) -> None:
    meaning = read_meaning(CypherQuery(f"MATCH (c:Country) WHERE {query} RETURN c"))
    assert meaning is not None
    known = IndexedSchema(Schema((LabelKind("Country", 9, "name"),), (), 9, 0, "neither"))
    assert is_misread(f"countries with {question}", meaning, known) is misread
    assert bool(explain_half_denied(question, meaning.graph, "countries")) is misread


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
    assert is_misbuilt("who made a film but no other", meaning) is misbuilt
