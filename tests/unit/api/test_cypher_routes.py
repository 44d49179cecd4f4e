"""Cypher over HTTP, and by the client: verdicts, rows, refusals."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from memory_app import TRIPLES, MemoryGraph, app_of, listening, open_typed_client
from memory_queries import MemoryQueries
from trellis import Client
from trellis.domain.errors import QueryError, QuerySyntaxError, RefusedQueryError
from trellis.domain.graphs.graph import Node, Step, Triple, Walk
from trellis.domain.structures.cypher import GATE_LIMITS, CypherQuery, QueryLimits, Rows
from trellis.wire.cypher import RowsBody
from unit.api.asking import JSON, check_problem

CAPITAL = "MATCH (c:Country {name: $name})-[:HAS_CAPITAL]->(n) RETURN n.name AS capital"
FRANCE = {"query": CAPITAL, "params": {"name": "France"}}
DELETING = {"query": "MATCH (n) CALL apoc.cypher.doIt('MATCH (n) DETACH DELETE n', {}) RETURN n"}


async def test_a_read_runs(client: httpx.AsyncClient) -> None:
    explained = await client.post("/v1/cypher/explain", json=FRANCE)
    assert explained.json()["allowed"] is True
    assert explained.json()["plan"]["columns"] == ["capital"]
    ran = await client.post("/v1/cypher/run", json=FRANCE)
    assert ran.json() == {"columns": ["capital"], "rows": [["Paris"]], "cut": ""}


async def test_a_refusal_is_a_verdict_and_an_error(client: httpx.AsyncClient) -> None:
    explained = await client.post("/v1/cypher/explain", json=DELETING)
    assert explained.status_code == 200
    assert explained.json()["allowed"] is False
    assert "apoc.cypher.doIt" in explained.json()["reason"]
    ran = await client.post("/v1/cypher/run", json=DELETING)
    problem = check_problem(ran, 403, "refused-query")
    assert "apoc.cypher.doIt" in problem["detail"]
    assert "trellis.*" in problem["remedy"]


@pytest.mark.parametrize("route", ["explain", "run"])
@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"query": "MATCH (n RETURN n"}, 400),
        ({"query": ""}, 400),
        ({"query": "SELECT 1"}, 400),
        ({"query": "RETURN '\ud800'"}, 400),
        ({"query": CAPITAL, "params": {"name": "\ud800"}}, 400),
        ({"query": CAPITAL, "params": [1]}, 422),
        ({"query": 1}, 422),
        ({}, 422),
    ],
)
async def test_what_does_not_parse_is_told(
    client: httpx.AsyncClient, route: str, body: dict[str, Any], status: int
) -> None:
    sent = json.dumps(body)
    check_problem(await client.post(f"/v1/cypher/{route}", content=sent, headers=JSON), status)


async def test_parameters_nested_without_end_are_refused(client: httpx.AsyncClient) -> None:
    deep = '{"query": "RETURN $d", "params": {"d": ' + "[" * 900 + "]" * 900 + "}}"
    ran = await client.post("/v1/cypher/run", content=deep, headers=JSON)
    assert "deep" in check_problem(ran, 403)["detail"]


async def test_outcomes_are_counted(client: httpx.AsyncClient) -> None:
    for body in (FRANCE, DELETING, {"query": "SELECT 1"}):
        await client.post("/v1/cypher/run", json=body)
        await client.post("/v1/cypher/explain", json=body)
    counted = (await client.get("/metrics")).text
    for labels in (
        'asked="run",outcome="whole"',
        'asked="run",outcome="RefusedQueryError"',
        'asked="run",outcome="QuerySyntaxError"',
        'asked="explain",outcome="allowed"',
        'asked="explain",outcome="refused"',
    ):
        assert f"trellis_cypher_total{{{labels}}} 1.0" in counted


class HeldQueries(MemoryQueries):
    """Runs nothing until it is let go; says who came and who went away."""

    def __init__(self) -> None:
        super().__init__(TRIPLES)
        self.came, self.left, self.go = asyncio.Event(), asyncio.Event(), asyncio.Event()

    async def run(self, query: CypherQuery, limits: QueryLimits = GATE_LIMITS) -> Rows:
        self.came.set()
        try:
            await self.go.wait()
        except asyncio.CancelledError:
            self.left.set()
            raise
        return await super().run(query, limits)


@asynccontextmanager
async def served_by(
    folder: Path, queries: HeldQueries, **settings: Any
) -> AsyncIterator[httpx.AsyncClient]:
    """A client of a service that runs people's queries by these."""
    app = app_of(folder, MemoryGraph(), parts={"queries": queries}, **settings)
    async with listening(app) as address, httpx.AsyncClient(base_url=address) as client:
        yield client


async def test_a_client_that_leaves_ends_its_query(tmp_path: Path) -> None:
    held = HeldQueries()
    async with served_by(tmp_path, held) as client:
        asking = asyncio.create_task(client.post("/v1/cypher/run", json=FRANCE))
        async with asyncio.timeout(600):
            await held.came.wait()
            asking.cancel()
            await held.left.wait()
        held.go.set()
        assert (await client.post("/v1/cypher/run", json=FRANCE)).json()["rows"] == [["Paris"]]


async def test_a_refused_text_waits_for_no_turn(tmp_path: Path) -> None:
    held = HeldQueries()
    async with served_by(tmp_path, held, concurrency=1) as client:
        running = asyncio.create_task(client.post("/v1/cypher/run", json=FRANCE))
        async with asyncio.timeout(600):
            await held.came.wait()
            refused = await client.post("/v1/cypher/run", json=DELETING)
            explained = await client.post("/v1/cypher/explain", json=DELETING)
        assert refused.status_code == 403
        assert explained.json()["allowed"] is False
        assert not running.done()
        held.go.set()
        assert (await running).status_code == 200


async def test_values_that_json_lacks_are_text() -> None:
    france, paris = (
        Node(i, name, (kind,), {"x": 1})
        for i, name, kind in (("4:0", "France", "Country"), ("4:1", "Paris", "City"))
    )
    walk = Walk((paris, france), (Step("HAS_CAPITAL", True),))
    row = (Triple(france, "HAS_CAPITAL", paris, {"since": 987}), walk, {"a": [float("nan")]}, 1.5)
    ran = RowsBody.of(Rows(("r", "p", "m", "f"), [row]))
    [[triple, path, some, half]] = ran.rows
    assert (triple["head"]["name"], triple["tail"]["labels"]) == ("France", ["City"])
    assert (triple["properties"], path["nodes"][0]["id"]) == ({"since": 987}, "4:1")
    assert path["triples"] == [["France", "HAS_CAPITAL", "Paris"]]
    assert (some, half) == ({"a": ["nan"]}, 1.5)


@pytest.fixture
async def typed(tmp_path: Path) -> AsyncIterator[Client]:
    async with open_typed_client(app_of(tmp_path, MemoryGraph())) as opened:
        yield opened


async def test_the_client_has_types_and_the_same_errors(typed: Client) -> None:
    assert (await typed.run_query(CAPITAL, {"name": "France"})).rows == [["Paris"]]
    assert (await typed.explain_query(CAPITAL)).allowed
    assert not (await typed.explain_query(DELETING["query"])).allowed
    with pytest.raises(RefusedQueryError, match="doIt"):
        await typed.run_query(DELETING["query"])
    with pytest.raises(QuerySyntaxError):
        await typed.run_query("SELECT 1")
    with pytest.raises(QueryError, match="missing"):
        await typed.run_query(CAPITAL)
