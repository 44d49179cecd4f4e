"""`POST /v1/retrieve/traces`, asked well and badly."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest

from memory_app import MemoryGraph
from trellis.domain.errors import GraphTimeoutError

ROUTE = "/v1/retrieve/traces"
PAIR = {"nodes": 2, "edges": [[0, 1]]}
FRANCE = {"names": ["France"], "scores": [1.0]}
ANCHORED = {"nodes": [FRANCE, None]}


async def post(client: httpx.AsyncClient, **body: Any) -> httpx.Response:
    return await client.post(
        ROUTE, content=json.dumps(body), headers={"content-type": "application/json"}
    )


async def test_precision_takes_the_best_and_breadth_all_above_the_threshold(
    client: httpx.AsyncClient,
) -> None:
    relations = [{"types": ["HAS_CAPITAL", "SPEAKS"], "scores": [0.5, 0.75]}]
    asked = {"schema_graph": PAIR, "candidates": {**ANCHORED, "relations": relations}}
    best = (await post(client, **asked)).json()
    [trace] = best["traces"]
    assert best["complete"]
    assert (trace["triples"], trace["scores"]) == ([["France", "SPEAKS", "French"]], [0.75])
    assert trace["score"] == 1.75
    [relationship] = trace["relationships"]
    assert [relationship["source"], relationship["target"]] == [n["id"] for n in trace["nodes"]]
    wide = (await post(client, **asked, strategy="breadth", threshold=0.5)).json()
    assert [t["triples"][0][2] for t in wide["traces"]] == ["French", "Paris"]


async def test_conditions_join_in_one_node(client: httpx.AsyncClient) -> None:
    canada = {"names": ["Canada"], "scores": [1.0]}
    meeting = {"nodes": 3, "edges": [[0, 2], [1, 2]]}
    candidates = {"nodes": [FRANCE, canada, None]}
    found = (await post(client, schema_graph=meeting, candidates=candidates)).json()
    assert [t["nodes"][2]["name"] for t in found["traces"]] == ["French"]


async def test_a_cycle_is_closed_or_nothing_is_found(client: httpx.AsyncClient) -> None:
    cycle = {"nodes": 3, "edges": [[0, 1], [1, 2], [2, 0]]}
    found = (
        await post(client, schema_graph=cycle, candidates={"nodes": [FRANCE, None, None]})
    ).json()
    assert found == {"traces": [], "complete": True}


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ({"schema_graph": {"nodes": 0}, "candidates": {"nodes": []}}, "a pattern of 0 nodes"),
        ({"schema_graph": {"nodes": 2}, "candidates": ANCHORED}, "several parts"),
        ({"schema_graph": PAIR, "candidates": {"nodes": [None, None]}}, "list no node"),
        ({"schema_graph": PAIR, "candidates": {"nodes": [FRANCE]}}, "list 1 nodes"),
        (
            {
                "schema_graph": PAIR,
                "candidates": {"nodes": [{"names": ["Atlantis"], "scores": [1]}, None]},
            },
            "no node is named 'Atlantis'",
        ),
        (
            {
                "schema_graph": PAIR,
                "candidates": {"nodes": [{"names": ["France"], "scores": []}, None]},
            },
            "1 names have 0 scores",
        ),
        (
            {
                "schema_graph": PAIR,
                "candidates": {"nodes": [{"ids": ["n99"], "scores": [1]}, None]},
            },
            "not there",
        ),
        ({"schema_graph": PAIR, "candidates": ANCHORED, "guidance": ["n99"]}, "not there"),
        *(
            (
                {
                    "schema_graph": PAIR,
                    "candidates": {
                        **ANCHORED,
                        "relations": [{"types": ["A"], "scores": [score]}],
                    },
                },
                f"the score of the relation candidate 'A' is {score}",
            )
            for score in (-1.0, float("nan"), float("inf"))
        ),
        ({"schema_graph": PAIR, "candidates": ANCHORED, "threshold": -1}, "threshold is -1"),
    ],
)
async def test_what_cannot_be_traced_is_refused_with_the_reason(
    client: httpx.AsyncClient, body: dict[str, Any], reason: str
) -> None:
    response = await post(client, **body)
    problem = response.json()
    assert (response.status_code, problem["type"]) == (422, "urn:trellis:problem:pattern")
    assert reason in problem["detail"]
    assert problem["remedy"]


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"schema_graph": PAIR},
        {"schema_graph": PAIR, "candidates": {"nodes": [{"scores": [1]}, None]}},
        {"schema_graph": PAIR, "candidates": ANCHORED, "strategy": "wide"},
        {"schema_graph": PAIR, "candidates": ANCHORED, "limit": 0},
        {"schema_graph": PAIR, "candidates": ANCHORED, "limit": "3"},
        {"schema_graph": PAIR, "candidates": ANCHORED, "revisit": "never"},
        {"schema_graph": PAIR, "candidates": ANCHORED, "threshold": "0.5"},
    ],
)
async def test_bodies_of_other_shapes_are_refused(
    client: httpx.AsyncClient, body: dict[str, Any]
) -> None:
    response = await post(client, **body)
    assert response.status_code == 422
    assert response.json()["detail"]


async def test_failures_are_told(client: httpx.AsyncClient, graph: MemoryGraph) -> None:
    graph.fails = GraphTimeoutError("slow", "wait")
    response = await post(client, schema_graph=PAIR, candidates=ANCHORED)
    assert response.status_code == 504
