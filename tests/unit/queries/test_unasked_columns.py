"""A query that shows more than was asked for counts for the one that does not."""

from __future__ import annotations

import math

import pytest

from trellis.domain.cypher import CypherQuery
from trellis.domain.decoding import Sentence
from trellis.steps.align.queries.unasked_columns import join_unasked_columns

FROM = "MATCH (n:Crime)-[:HELD_BY]->(m:Officer WHERE m.name = $v0) "
PLAIN = f"{FROM}RETURN DISTINCT n"
NOTED = f"{FROM}RETURN DISTINCT n, n.note"
OTHER = "MATCH (n:Crime) RETURN DISTINCT n, n.note"
ASKED = "List every case on officer Glossup's desk"


def join(question: str, *queries: tuple[str, float]) -> list[tuple[str, float]]:
    sentences = [
        Sentence("", (), (CypherQuery(text, {"v0": "Uri"}),), math.log(chance), 1)
        for text, chance in queries
    ]
    joined = join_unasked_columns(question, sentences)
    return [(each.values[0].text, round(math.exp(each.score), 6)) for each in joined]


def test_what_shows_more_counts_for_the_plain_query() -> None:
    assert join(ASKED, (NOTED, 0.5), (OTHER, 0.3), (PLAIN, 0.1)) == [(PLAIN, 0.6), (OTHER, 0.3)]


@pytest.mark.parametrize(
    "question",
    [
        "List the cases of officer Glossup with what was written",
        "Which notes are there on the cases of officer Glossup?",
        "What cases has Glossup, and since when?",
    ],
)
def test_a_column_that_may_be_asked_for_stays(question: str) -> None:
    given = [(NOTED, 0.5), (PLAIN, 0.1)]
    assert join(question, *given) == given


def test_without_a_plain_query_nothing_changes() -> None:
    given = [(NOTED, 0.5), (OTHER, 0.3)]
    assert join(ASKED, *given) == given


@pytest.mark.parametrize(
    "query",
    [
        f"{FROM}RETURN DISTINCT n, m.rank",
        f"{FROM}RETURN DISTINCT n, count(n.note)",
        "CALL db.labels()",
    ],
)
def test_what_is_no_property_of_what_is_returned_stays(query: str) -> None:
    assert join(ASKED, (query, 0.5), (PLAIN, 0.1)) == [(query, 0.5), (PLAIN, 0.1)]
