"""Words by which a question asks for more than a walk, and what is none."""

from __future__ import annotations

import pytest

from trellis.domain.cypher import CypherQuery
from trellis.domain.graph import Node
from trellis.domain.links import Link, Mention
from trellis.linking.operators import find_operators
from trellis.linking.spans import find_occurrences
from trellis.steps.queries.read_meaning import read_meaning
from trellis.steps.queries.said_operators import ALL_OPERATORS, find_said_operators
from trellis.steps.shared.unsaid_operators import describe_unsaid_operators, find_unsaid_operators


def kinds(question: str, *names: str) -> list[str]:
    spans = [find_occurrences(question, name)[0] for name in names]
    return [each.kind for each in find_operators(question, spans)]


@pytest.mark.parametrize(
    ("question", "names", "expected"),
    [
        ("Which countries do not border Brazil?", ["Brazil"], ["negation"]),
        ("Who doesn't know Ann?", ["Ann"], ["negation"]),
        ("islands without a city", [], ["negation"]),
        ("Which rivers are longer than the Rhine?", ["Rhine"], ["comparison"]),
        ("cities of over two million people", [], ["comparison"]),
        ("Which lakes are shared by four or more countries?", [], ["comparison"]),
        ("In which countries is Tamil or Malay official?", ["Tamil", "Malay"], ["choice"]),
        ("cities on the Loire or the Garonne", ["Loire", "Garonne"], ["choice"]),
        ("What is the longest river?", [], ["superlative"]),
        ("Which country has the most neighbours?", [], ["superlative"]),
        ("Is Paris the capital of France?", ["Paris", "France"], ["yes-no"]),
        ("Can I pay in euros in Montenegro?", ["euros", "Montenegro"], ["yes-no"]),
        ("does the douro flow through italy", ["douro", "italy"], ["yes-no"]),
    ],
)
def test_operators_are_found(question: str, names: list[str], expected: list[str]) -> None:
    assert kinds(question, *names) == expected


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("What is the capital of Kenya?", ["Kenya"]),
        ("Who directed Not One Less?", ["Not One Less"]),
        ("What sea or ocean is around Naha?", ["Naha"]),
        ("Is Estonia in some alliances or unions? List them.", ["Estonia"]),
        ("Kupang is a city on an island, namely?", ["Kupang"]),
        ("What lies west of the forest?", []),
        ("is claudius 's husband a man or a woman ?", ["claudius"]),
    ],
)
def test_what_asks_for_a_walk_has_no_operator(question: str, names: list[str]) -> None:
    assert kinds(question, *names) == []


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("MATCH (n:A) RETURN n", set()),
        ("MATCH (n:A) WHERE n.x > $v0 RETURN n", {"comparison"}),
        ("MATCH (n:A) WHERE NOT EXISTS { (n)-[:R]->(:B) } RETURN n", {"negation"}),
        ("MATCH (n:A) WHERE n.x IN [1, 2] RETURN n", {"choice"}),
        ("MATCH (n:A) RETURN n ORDER BY n.x DESC LIMIT 1", {"superlative", "comparison"}),
        ("MATCH (n:A)-[:R]->(m:B) RETURN count(*) > 0", {"yes-no"}),
        ("MATCH (n:A {state: 'no suspect identified'}) RETURN n", {"negation"}),
        ("CALL db.labels()", set(ALL_OPERATORS)),
    ],
)
def test_what_a_query_says(query: str, said: set[str]) -> None:
    cypher = CypherQuery(query, {"v0": 3})
    assert find_said_operators(read_meaning(cypher)) == said


def test_an_answer_that_leaves_out_not_is_held_back_with_the_reason() -> None:
    question = "Which countries do not border Brazil?"
    at = question.index("Brazil")
    brazil = Mention(at, at + 6, "Brazil", (Link(Node("1", "Brazil"), 1.0, "exact"),))
    unsaid = find_unsaid_operators(question, [brazil], ())
    assert describe_unsaid_operators(unsaid, "from Brazil: borders") == (
        "the question says “not”, and what was found does not: from Brazil: borders"
    )
    assert not find_unsaid_operators(question, [brazil], {"negation"})
