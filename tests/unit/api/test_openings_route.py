"""Questions to begin with are made of the live graph, or of its configuration file."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest

from memory_app import TRIPLES, MemoryGraph, served
from trellis.domain.errors import GraphUnavailableError

ADDRESS = "/v1/schema/examples"


async def test_each_kind_has_an_example_whose_topic_has_such_a_fact(
    client: httpx.AsyncClient,
) -> None:
    body = (await client.get(ADDRESS)).json()
    assert {kind["type"] for kind in body["kinds"]} == {relation for _, relation, _ in TRIPLES}
    for kind in body["kinds"]:
        heads = [head for head, relation, _ in TRIPLES if relation == kind["type"]]
        assert any(head in kind["question"] for head in heads), kind
    assert set(body["starters"]) <= {kind["question"] for kind in body["kinds"]}
    assert body["starters"]


async def test_an_example_is_answered(client: httpx.AsyncClient) -> None:
    for kind in (await client.get(ADDRESS)).json()["kinds"]:
        if kind["type"] != "HAS_CAPITAL":
            continue
        asked = {"question": kind["question"]}
        reply = (await client.post("/v1/questions", json=asked)).json()
        assert reply["answers"]
        assert not reply["abstained"]


async def test_questions_of_the_graphs_file_come_first(tmp_path: Path, graph: MemoryGraph) -> None:
    file = tmp_path / "graph.toml"
    file.write_text('[[examples]]\nquestion = "Who governs France?"\nanswers = ["Paris"]\n')
    async with served(tmp_path, graph, graph_config=file) as client:
        body = (await client.get(ADDRESS)).json()
    assert body["starters"] == ["Who governs France?"]
    assert body["kinds"]


@pytest.mark.parametrize("name", ["", "x" * 400, "a\nb", "\u202ecba", "z"])
async def test_a_name_that_no_question_can_hold_is_no_example(tmp_path: Path, name: str) -> None:
    async with served(tmp_path, MemoryGraph([(name, "SPEAKS", "French")])) as client:
        assert (await client.get(ADDRESS)).json() == {"starters": [], "kinds": []}


async def test_a_graph_that_is_down_is_a_problem(
    client: httpx.AsyncClient, graph: MemoryGraph
) -> None:
    graph.fails = GraphUnavailableError("Neo4j does not answer", "start it")
    response = await client.get(ADDRESS)
    assert (response.status_code, response.json()["remedy"]) == (503, "start it")
