"""The report on which gold queries can be said, and what is counted for the console."""

from __future__ import annotations

from pathlib import Path

import pytest

from small_schemas import build_schema
from trellis.automata.cypher.words.indexed_schema import IndexedSchema
from trellis.domain.errors import CypherReadError
from trellis.domain.structures.cypher import CypherQuery
from trellis.evaluation.coverage import (
    QueryCoverage,
    build_coverage_report,
    count_features,
    count_reasons,
    write_sentence_query,
)
from trellis.evaluation.suite import read_gold_queries
from trellis.questions.row import QuestionRow

QUERIES = Path(__file__).parents[2] / "data" / "queries"


def measured(id: str, why: str = "", features: tuple[str, ...] = ()) -> QueryCoverage:
    return QueryCoverage(QuestionRow(id, cypher="MATCH (n) RETURN n", features=features), why)


MEASURED = [
    measured("a", features=("limit", "order")),
    measured("b", "the query has 'with' at offset 12, where RETURN is read", ("limit",)),
    measured("c", "the query has 'WITH' at offset 40, where RETURN is read", ("with",)),
    measured("d", "'Ann\\'s' is no linked value of Person's name"),
    measured("e", '"Bob" is no linked value of Person\'s name'),
    measured("f", "its sentence returns other rows (1, the gold 1,234)"),
]


def test_the_report_has_the_share_and_an_entry_for_each_query() -> None:
    why = "the query has 'with' at offset 12, where RETURN is read"
    questions = [{"id": "a", "sayable": True}, {"id": "b", "sayable": False, "why": why}]
    report = build_coverage_report(MEASURED[:2])
    assert report == {"n": 2, "sayable": 0.5, "questions": questions}


def test_reasons_are_counted_without_places_and_names() -> None:
    assert count_reasons(MEASURED) == [
        ("the query has 'WITH', where RETURN is read", 2),
        ("… is no linked value of Person's name", 2),
        ("its sentence returns other rows", 1),
    ]
    assert count_reasons(MEASURED[:1]) == []


def test_features_are_counted_with_how_many_can_be_said() -> None:
    assert count_features(MEASURED) == {"limit": (2, 1), "order": (1, 1), "with": (1, 0)}


SCHEMA = build_schema({"Person": "name age:INTEGER"}, "Person KNOWS Person")


def test_a_sentence_means_the_query_with_its_literals_as_parameters() -> None:
    gold = CypherQuery(
        "MATCH (p:Person {name: 'Ann'})-[:KNOWS]->(q) WHERE q.age > $least RETURN q.name LIMIT 3",
        {"least": 20, "more": [1]},
    )
    query = write_sentence_query(IndexedSchema(SCHEMA), gold)
    assert sorted(map(str, query.params.values())) == ["20", "Ann"]
    assert query.text.endswith("LIMIT 3")
    with pytest.raises(CypherReadError):
        write_sentence_query(IndexedSchema(SCHEMA), CypherQuery("MATCH (p:Person) RETURN p.x"))


@pytest.mark.parametrize("name", ["atlas", "pole", "shop"])
def test_our_gold_queries_can_be_read(name: str) -> None:
    rows = read_gold_queries(QUERIES / f"{name}.jsonl")
    assert len(rows) >= 120
    assert all(row.question for row in rows)
    assert len(count_features([QueryCoverage(row) for row in rows])) > 30
