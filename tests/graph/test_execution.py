"""Execution match over a real Neo4j: sets of rows, and ties where the gold sorts and limits."""

from __future__ import annotations

from dataclasses import replace

import pytest

from graph.police import POLICE
from trellis.domain.cypher import CypherQuery
from trellis.domain.graph import Node
from trellis.domain.reply import Answer, CandidateOutcome, Reply
from trellis.evaluation.execution import execute_reply
from trellis.graph.connection import GraphConnection
from trellis.graph.gate import Limits, Neo4jQueries

CLEO = 'Cleo "the fox" O\'Hara'
OLDEST = "MATCH (p:Person) RETURN p ORDER BY p.age DESC LIMIT {}"


@pytest.fixture
async def queries(clean_graph: GraphConnection) -> Neo4jQueries:
    await clean_graph.run_write(POLICE)
    return Neo4jQueries(clean_graph, Limits())


@pytest.mark.parametrize(
    ("gold", "ours", "right"),
    [
        ("MATCH (p:Person) RETURN p", "MATCH (q:Person) RETURN q ORDER BY q.name", True),
        ("MATCH (p:Person) RETURN p.age", "MATCH (p:Person) RETURN DISTINCT p.age", True),
        ("MATCH (p:Person) RETURN p", "MATCH (p:Person) RETURN p.name", False),
        ("MATCH (p:Person) RETURN p", "MATCH (p:Person) RETURN p LIMIT 3", False),
        ("MATCH (p:Person) RETURN p.name, p.age", "MATCH (p:Person) RETURN p.age, p.name", False),
        ("MATCH (p:Person) RETURN count(p)", "MATCH (p:Person) RETURN count(DISTINCT p)", True),
        (OLDEST.format(1), "MATCH (p:Person {name: 'Bob'}) RETURN p", True),
        (OLDEST.format(1), "MATCH (p:Person WHERE p.age = 45 AND p.name <> 'Bob') RETURN p", True),
        (OLDEST.format(1), "MATCH (p:Person WHERE p.age = 45) RETURN p", False),
        (OLDEST.format(1), "MATCH (p:Person {name: 'Ada'}) RETURN p", False),
        (OLDEST.format(3), "MATCH (p:Person WHERE p.age > 19) RETURN p", True),
        (OLDEST.format(3), "MATCH (p:Person WHERE p.age <> 31) RETURN p", False),
        ("MATCH (p:Zorg) RETURN p", "MATCH (p:Person {name: 'x'}) RETURN p", True),
    ],
)
async def test_rows_match(queries: Neo4jQueries, gold: str, ours: str, right: bool) -> None:
    reply = Reply("?", "graphraft", (), (), 1.0, False, cypher=ours)
    assert (await execute_reply(queries, gold, reply)).match is right


async def test_no_query_or_one_that_fails_is_wrong(queries: Neo4jQueries) -> None:
    gold = "MATCH (p:Person) RETURN p"
    assert (await execute_reply(queries, gold, Reply("?", "g", (), (), 0.0, True))).match is False
    broken = Reply("?", "g", (), (), 0.0, True, cypher="MATCH (p RETURN p")
    assert (await execute_reply(queries, gold, broken)).match is False


async def test_each_candidate_runs_or_not(queries: Neo4jQueries) -> None:
    texts = ("MATCH (p:Person) RETURN p", "MATCH (p RETURN p", "MATCH (p) DETACH DELETE p")
    tried = tuple(CandidateOutcome(text, 0.0, None, CypherQuery(text)) for text in texts)
    reply = Reply("?", "graphraft", (), (), 1.0, False, candidates=tried)
    found = await execute_reply(queries, None, reply)
    assert (found.match, found.runs) == (None, (True, False, False))


@pytest.mark.parametrize(
    ("names", "held_back", "right"),
    [
        (["Bob", CLEO], False, True),
        (["Bob"], False, False),
        (["Bob"], True, True),
        (["Bob", "Ada"], True, False),
        ([], False, False),
    ],
)
async def test_nodes_without_a_query_match_the_rows_that_they_are(
    queries: Neo4jQueries, names: list[str], held_back: bool, right: bool
) -> None:
    named = CypherQuery("MATCH (p:Person) WHERE p.name IN $names RETURN p", {"names": names})
    rows = (await queries.run(named)).rows
    found = tuple(Answer(node, 1.0) for [node] in rows if isinstance(node, Node))
    reply = Reply("?", "simgrag", () if held_back else found, (), 0.5, held_back)
    reply = replace(reply, nearest=found if held_back else ())
    gold = "MATCH (p:Person) WHERE p.age = 45 RETURN p"
    assert (await execute_reply(queries, gold, reply)).match is right
