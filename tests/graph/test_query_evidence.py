"""What the answers of queries stand on, over a real Neo4j: values, extremes, counts, negations."""

from __future__ import annotations

import pytest

from graph.police import ToldModel
from graph.test_graphraft import asked
from trellis.domain.reply import Reply
from trellis.graph.connection import GraphConnection
from trellis.graph.neo4j_graph import Neo4jGraph
from trellis.steps.ground.verify import check_statements

ROBBED = "MATCH (p:Person)-[:PARTY_TO]-(c:Crime WHERE c.type = 'Robbery')"


def read_cited(reply: Reply) -> dict[str, list[str]]:
    return {
        answer.node.name: sorted(reply.evidence[number].text for number in answer.evidence)
        for answer in reply.answers
    }


def read_beside(reply: Reply) -> list[str]:
    cited = {number for answer in reply.answers for number in answer.evidence}
    return sorted(f.text for number, f in enumerate(reply.evidence) if number not in cited)


@pytest.mark.parametrize(
    ("query", "question", "cited", "beside"),
    [
        (
            "MATCH (p:Person WHERE p.name = 'Ada') RETURN p.age",
            "What is the age of person Ada?",
            {"31": ["Ada -age-> 31"]},
            [],
        ),
        (
            "MATCH (p:Person WHERE p.age < 40) RETURN p",
            "Which persons have an age of less than 40?",
            {"Ada": ["Ada -age-> 31"], "Dan": ["Dan -age-> 19"]},
            [],
        ),
        (
            "MATCH (p:Person) RETURN min(p.age)",
            "What is the least age of a person?",
            {"19": ["Dan -age-> 19", "minimum of age: 4 values, from 19 to 45"]},
            ["Ada -age-> 31 (the next one)"],
        ),
        (
            "MATCH (p:Person) RETURN avg(p.age)",
            "What is the average age of persons?",
            {
                "35": [
                    "Ada -age-> 31",
                    "Bob -age-> 45",
                    'Cleo "the fox" O\'Hara -age-> 45',
                    "Dan -age-> 19",
                    "average of age: 4 values, from 19 to 45",
                ]
            },
            [],
        ),
        (
            "MATCH (o:Officer)<-[:INVESTIGATED_BY]-(c:Crime) "
            "RETURN o ORDER BY count(DISTINCT c) DESC LIMIT 1",
            "Which officer investigated the most crimes?",
            {
                "Kim": [
                    "1/08/2017 -INVESTIGATED_BY-> Kim",
                    "2/08/2017 -INVESTIGATED_BY-> Kim",
                    "count of Crime: Kim 2; the next one: Roy 1",
                ]
            },
            [],
        ),
        (
            "MATCH (p:Person) WHERE NOT EXISTS { MATCH (p)-[:PARTY_TO]->(:Crime) } RETURN p",
            "Which persons are not party to any crime?",
            {"Dan": ["Dan -name-> Dan"]},
            [
                "Ada -PARTY_TO-> 1/08/2017 (another)",
                "Bob -PARTY_TO-> 1/08/2017 (another)",
                "Bob -PARTY_TO-> 2/08/2017 (another)",
                'Cleo "the fox" O\'Hara -PARTY_TO-> 3/08/2017 (another)',
            ],
        ),
        (
            "MATCH (p:Person WHERE p.name = 'Ada'), (q:Person WHERE q.name = 'Bob') "
            "WHERE p.age > q.age RETURN count(*) > 0",
            "Is Ada older than Bob?",
            {"no": ["Bob -age-> 45; Ada -age-> 31"]},
            [],
        ),
    ],
)
async def test_each_answer_has_its_facts(
    police: GraphConnection,
    query: str,
    question: str,
    cited: dict[str, list[str]],
    beside: list[str],
) -> None:
    reply = await asked(police, ToldModel(query, sure=0.9), question, is_wide=True)
    assert read_cited(reply) == cited
    assert read_beside(reply) == beside
    checked = await check_statements(Neo4jGraph(police), reply.statements())
    assert all(checked.values())


async def test_a_changed_or_invented_value_is_not_found(police: GraphConnection) -> None:
    query = "MATCH (p:Person WHERE p.name = 'Ada') RETURN p.age"
    reply = await asked(police, ToldModel(query), "What is the age of person Ada?")
    await police.run_write("MATCH (p:Person {name: 'Ada'}) SET p.age = 32")
    assert not any((await check_statements(Neo4jGraph(police), reply.statements())).values())
