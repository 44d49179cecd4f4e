"""The order of rows in a real Neo4j, to which null is greater than all values."""

from __future__ import annotations

import pytest

from trellis.automata.cypher.rendering import render_query
from trellis.domain.cypher import CypherQuery
from trellis.graph.connection import GraphConnection
from trellis.graph.gate import Limits, Neo4jQueries
from trellis.steps.describe.queries.read_meaning import read_meaning

FALLS = """
CREATE (a:Region {name: 'North'}), (b:Region {name: 'South'}), (c:Region {name: 'Far'}),
  (:Falls {name: 'Veil', height: 979})-[:IN]->(a), (:Falls {name: 'Roar'})-[:IN]->(a),
  (:Falls {name: 'Step', height: 12})-[:IN]->(b), (:Falls {name: 'Hush'})-[:IN]->(c)
"""


@pytest.fixture
async def queries(clean_graph: GraphConnection) -> Neo4jQueries:
    await clean_graph.run_write(FALLS)
    return Neo4jQueries(clean_graph, Limits())


@pytest.mark.parametrize(
    ("asked", "first"),
    [
        ("MATCH (f:Falls) RETURN f.name ORDER BY f.height DESC LIMIT 1", ["Veil"]),
        ("MATCH (f:Falls) RETURN f.name ORDER BY f.height LIMIT 1", ["Step"]),
        ("MATCH (f:Falls) RETURN f.name ORDER BY f.height DESC, f.name DESC LIMIT 3", ["Veil"]),
        ("MATCH (f:Falls) RETURN DISTINCT f.height ORDER BY f.height DESC LIMIT 1", ["979"]),
        (
            "MATCH (f:Falls) WITH f ORDER BY f.height DESC LIMIT 1 "
            "MATCH (f)-[:IN]->(r) RETURN r.name",
            ["North"],
        ),
        (
            "MATCH (f:Falls)-[:IN]->(r) RETURN r.name, avg(f.height) ORDER BY avg(f.height) DESC",
            ["North"],
        ),
        (
            "MATCH (f:Falls)-[:IN]->(r) RETURN r.name, max(f.height) AS m ORDER BY m DESC LIMIT 1",
            ["North"],
        ),
        (
            "MATCH (f:Falls WHERE f.height IS NOT NULL) RETURN f.name ORDER BY f.height DESC",
            ["Veil"],
        ),
    ],
)
async def test_what_is_not_known_comes_last(
    queries: Neo4jQueries, asked: str, first: list[str]
) -> None:
    meaning = read_meaning(CypherQuery(asked))
    assert meaning
    [query] = render_query(meaning.graph, meaning.values)
    rows = (await queries.run(query)).rows
    assert [str(row[0]) for row in rows[: len(first)]] == first
    assert read_meaning(query) == meaning
