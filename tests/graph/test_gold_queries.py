"""Gold queries over a real Neo4j: whether a reply has their rows, and which can be said."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from graph.police import POLICE
from real_neo4j import GraphFiller
from trellis.automata.cypher.options import RENDERINGS, Rendering
from trellis.domain.graphs.graph import Node
from trellis.domain.replies.reply import Answer, CandidateOutcome, Reply
from trellis.domain.structures.cypher import CypherQuery, QueryLimits
from trellis.evaluation.coverage import QueryCoverage, measure_coverage
from trellis.evaluation.execution import execute_reply
from trellis.evaluation.gold_rows import has_gold_rows
from trellis.evaluation.suite import read_gold_queries
from trellis.graph.database.connection import GraphConnection
from trellis.graph.gate import Limits, Neo4jQueries
from trellis.graph.loading import load_graph
from trellis.graph.neo4j_graph import Neo4jGraph
from trellis.questions.row import QuestionRow
from trellis_command import build_environment, call_trellis

QUERIES = Path(__file__).parents[1] / "data" / "queries"

PEOPLE = "MATCH (p:Person) RETURN"


@pytest.fixture
async def queries(fill: GraphFiller) -> Neo4jQueries:
    return Neo4jQueries(await fill(POLICE, is_indexed=False), Limits())


@pytest.mark.parametrize(
    ("gold", "ours", "right"),
    [
        # Bob and Cleo are 45, Ada is 31, Dan is 19.
        ("p.name", "p.name ORDER BY p.age", True),
        ("p.age", "DISTINCT p.age", False),
        ("p.name, p.age", "p.age, p.name", False),
        ("p.name", "p.name, p.age", False),
        ("p.name ORDER BY p.age", "p.name ORDER BY p.age, p.name DESC", True),
        ("p.name ORDER BY p.age", "p.name ORDER BY p.age DESC", False),
        ("p.name AS n, p.age AS a ORDER BY a DESC", "p.name, p.age ORDER BY p.age DESC", True),
        ("p.name LIMIT 2", "p.name ORDER BY p.age LIMIT 2", True),
        ("p.name LIMIT 2", "p.age LIMIT 2", False),
        ("p.name LIMIT 2", "p.name LIMIT 3", False),
        ("p.age LIMIT 2", "45 LIMIT 2", True),
        ("p.age LIMIT 3", "45 LIMIT 3", False),
        ("p.name LIMIT 9", "p.name LIMIT 10", True),
        ("p.name ORDER BY p.age DESC LIMIT 1", "p.name ORDER BY p.age DESC, p.name LIMIT 1", True),
        (
            "p.name ORDER BY p.age DESC LIMIT 1",
            "p.name ORDER BY p.age DESC, p.name DESC LIMIT 1",
            True,
        ),
        ("p.name ORDER BY p.age DESC LIMIT 1", "p.name ORDER BY p.age LIMIT 1", False),
        ("p.age AS a ORDER BY a DESC SKIP 1 LIMIT 2", "p.age ORDER BY p.age SKIP 2 LIMIT 2", False),
        (
            "p.name AS n ORDER BY p.age DESC SKIP 1 LIMIT 2",
            "p.name ORDER BY p.age DESC, p.name DESC SKIP 1 LIMIT 2",
            True,
        ),
        ("p.age, count(*) AS c ORDER BY c DESC LIMIT 1", "45, 2 LIMIT 1", True),
        (
            "p.age, count(*) AS c ORDER BY c DESC LIMIT 2",
            "p.age, count(p) ORDER BY count(p) DESC LIMIT 2",
            True,
        ),
        ("collect(p.age)", "[19, 31, 45, 45] LIMIT 1", True),
        ("collect(p.age)", "[19, 31, 31, 45] LIMIT 1", False),
        ("avg(p.age) / 3.0", "(45 + 45 + 31 + 19) / 12.0 LIMIT 1", True),
        ("p.age > 40 ORDER BY p.age LIMIT 1", "0 LIMIT 1", False),
        ("p.x UNION MATCH (p:Officer) RETURN p.x", "DISTINCT p.x", True),
    ],
)
async def test_rows_are_compared_as_often_as_they_come(
    queries: Neo4jQueries, gold: str, ours: str, right: bool
) -> None:
    query = CypherQuery(f"{PEOPLE} {gold}")
    wanted = await queries.run(query)
    given = await queries.run(CypherQuery(f"{PEOPLE} {ours}"))
    assert await has_gold_rows(queries, query, wanted, given, QueryLimits()) is right


CLEO = 'Cleo "the fox" O\'Hara'
OLDEST = f"{PEOPLE} p ORDER BY p.age DESC LIMIT {{}}"


@pytest.mark.parametrize(
    ("gold", "ours", "right"),
    [
        (f"{PEOPLE} p", "MATCH (q:Person) RETURN q ORDER BY q.name", True),
        (f"{PEOPLE} p.age", f"{PEOPLE} DISTINCT p.age", True),
        (f"{PEOPLE} p", f"{PEOPLE} p.name", False),
        (f"{PEOPLE} p", f"{PEOPLE} p LIMIT 3", False),
        (f"{PEOPLE} p.name, p.age", f"{PEOPLE} p.age, p.name", False),
        (f"{PEOPLE} count(p)", f"{PEOPLE} count(DISTINCT p)", True),
        (OLDEST.format(1), "MATCH (p:Person {name: 'Bob'}) RETURN p", True),
        (
            OLDEST.format(1),
            "MATCH (p:Person WHERE p.age = 45 AND p.name <> 'Bob') RETURN p",
            True,
        ),
        (OLDEST.format(1), "MATCH (p:Person WHERE p.age = 45) RETURN p", False),
        (OLDEST.format(1), "MATCH (p:Person {name: 'Ada'}) RETURN p", False),
        (OLDEST.format(3), "MATCH (p:Person WHERE p.age > 19) RETURN p", True),
        (OLDEST.format(3), "MATCH (p:Person WHERE p.age <> 31) RETURN p", False),
        ("MATCH (p:Zorg) RETURN p", "MATCH (p:Person {name: 'x'}) RETURN p", True),
    ],
)
async def test_the_query_of_a_reply_is_compared_by_its_rows(
    queries: Neo4jQueries, gold: str, ours: str, right: bool
) -> None:
    reply = Reply("?", "graphraft", (), (), 1.0, False, cypher=ours)
    assert (await execute_reply(queries, gold, reply)).match is right


async def test_no_query_or_one_that_fails_is_wrong(queries: Neo4jQueries) -> None:
    gold = f"{PEOPLE} p"
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


async def measure(
    connection: GraphConnection, rendering: Rendering, *rows: QuestionRow
) -> list[QueryCoverage]:
    queries, schema = Neo4jQueries(connection, Limits()), await Neo4jGraph(connection).schema()
    return [each async for each in measure_coverage(rows, schema, queries, rendering)]


@pytest.mark.parametrize("rendering", RENDERINGS)
async def test_what_the_language_has_is_sayable_and_else_the_reason_is_told(
    fill: GraphFiller, rendering: Rendering
) -> None:
    police = await fill(POLICE, is_indexed=False)
    golds = {
        f"{PEOPLE} p.name ORDER BY p.age DESC LIMIT 1": "",
        "MATCH (c:Crime {type: $t})<-[:PARTY_TO]-(p:Person) RETURN p.name": "",
        f"{PEOPLE} p.shoe_size * 2 ^ p.age": "arithmetic of this kind",
        "MATCH (p RETURN p": "the gold query does not run: the query does not parse: ",
        "MATCH (n) DETACH DELETE n": "the gold query does not run: the query would ",
        "MATCH (p:Person) WHERE p.age = $none RETURN p": "the gold query does not run: ",
    }
    rows = [QuestionRow(gold, cypher=gold, params={"t": "Robbery"}) for gold in golds]
    for each, why in zip(await measure(police, rendering, *rows), golds.values(), strict=True):
        assert each.is_sayable is not bool(why)
        assert each.why.startswith(why)


@pytest.mark.parametrize(
    ("graph", "file"),
    [
        ("shop", "queries/shop.jsonl"),
        ("shop", "shop/wording.jsonl"),
        ("films", "films/wording.jsonl"),
        ("hospital", "hospital/wording.jsonl"),
    ],
)
async def test_every_gold_query_of_made_graphs_runs(
    clean_graph: GraphConnection, graph: str, file: str
) -> None:
    await load_graph(clean_graph, QUERIES / graph)
    queries = Neo4jQueries(clean_graph, Limits())
    for row in read_gold_queries(QUERIES.parent / file):
        assert (await queries.run(CypherQuery(row.cypher))).rows, row.id


async def test_the_command_prints_shares_and_writes_the_report(
    fill: GraphFiller, tmp_path: Path
) -> None:
    police = await fill(POLICE, is_indexed=False)
    rows = [
        {"id": "a", "cypher": f"{PEOPLE} p.name LIMIT 3", "features": ["limit"]},
        {"id": "b", "question": "no query"},
        {"id": "c", "question": "Who?", "cypher": "MATCH (p RETURN p", "features": ["limit"]},
    ]
    (tmp_path / "q.jsonl").write_text("\n".join(map(json.dumps, rows)), "utf-8")
    asked = ("cypher", "--coverage", "q.jsonl", "--out", "new/report.json")
    done = call_trellis(tmp_path, build_environment(NEO4J_URI=police.uri), *asked)
    assert done.returncode == 0, done.stderr
    assert "50.0% of 2 gold queries can be said" in done.stdout
    assert "does not parse" in done.stdout
    assert "limit" in done.stdout
    assert "2/2" in done.stderr
    report = json.loads((tmp_path / "new" / "report.json").read_text("utf-8"))
    assert report.keys() == {"n", "sayable", "questions"}
    assert (report["n"], report["sayable"]) == (2, 0.5)
    assert report["questions"][0] == {"id": "a", "sayable": True}
    assert report["questions"][1].keys() == {"id", "sayable", "why"}
    assert [file.name for file in (tmp_path / "new").iterdir()] == ["report.json"]
