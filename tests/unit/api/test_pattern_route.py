"""`POST /v1/retrieve/patterns`, asked well and badly."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest

from memory_app import MemoryGraph
from trellis.domain.errors import GraphTimeoutError

PAIR = {"nodes": 2, "edges": [[0, 1]]}
ROUTE = "/v1/retrieve/patterns"


async def post(client: httpx.AsyncClient, **body: Any) -> httpx.Response:
    return await client.post(
        ROUTE, content=json.dumps(body), headers={"content-type": "application/json"}
    )


async def test_the_nearest_subgraphs_come_first(client: httpx.AsyncClient) -> None:
    relations = [{"types": ["HAS_CAPITAL", "SPEAKS"], "distances": [0.5, 0]}]
    nodes = [{"ids": ["n0"], "distances": [0.25]}, None]
    found = (
        await post(client, pattern=PAIR, candidates={"nodes": nodes, "relations": relations}, k=5)
    ).json()
    assert found["complete"]
    assert [(m["distance"], m["triples"]) for m in found["matches"]] == [
        (0.25, [["France", "SPEAKS", "French"]]),
        (0.75, [["France", "HAS_CAPITAL", "Paris"]]),
    ]
    first = found["matches"][0]
    assert [node["name"] for node in first["nodes"]] == ["France", "French"]
    [relationship] = first["relationships"]
    assert relationship["type"] == "SPEAKS"
    assert [relationship["source"], relationship["target"]] == [n["id"] for n in first["nodes"]]


async def test_directions_are_kept_if_asked_for(client: httpx.AsyncClient) -> None:
    nodes = [None, {"ids": ["n0"], "distances": [0]}]
    either = (await post(client, pattern=PAIR, candidates={"nodes": nodes}, k=10)).json()
    kept = (
        await post(client, pattern=PAIR, candidates={"nodes": nodes}, k=10, directed=True)
    ).json()
    assert (len(either["matches"]), kept["matches"]) == (3, [])


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ({"pattern": {"nodes": 0}}, "a pattern of 0 nodes"),
        ({"pattern": {"nodes": 2, "edges": [[0, 1]] * 30}}, "a pattern of 30 edges"),
        ({"pattern": {"nodes": 2}}, "several parts"),
        ({"pattern": {"nodes": 2, "edges": [[0, 7]]}}, "joins 0 and 7"),
        ({"pattern": PAIR, "candidates": {"nodes": []}}, "list 0 nodes"),
        (
            {
                "pattern": {"nodes": 1},
                "candidates": {"nodes": [{"ids": ["n99"], "distances": [0]}]},
            },
            "not there",
        ),
        (
            {"pattern": {"nodes": 1}, "candidates": {"nodes": [{"ids": ["n0"], "distances": []}]}},
            "1 node candidates have 0 distances",
        ),
        *(
            (
                {
                    "pattern": {"nodes": 1, "edges": [[0, 0]]},
                    "candidates": {"relations": [{"types": ["A"], "distances": [distance]}]},
                },
                f"the distance of the relation candidate 'A' is {distance}",
            )
            for distance in (-1.0, float("nan"), float("inf"))
        ),
    ],
)
async def test_what_cannot_be_searched_for_is_refused_with_the_reason(
    client: httpx.AsyncClient, body: dict[str, Any], reason: str
) -> None:
    response = await post(client, **body)
    problem = response.json()
    assert (response.status_code, problem["type"]) == (422, "urn:trellis:problem:pattern")
    assert response.headers["content-type"] == "application/problem+json"
    assert reason in problem["detail"]
    assert problem["remedy"]


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"pattern": None},
        {"pattern": {"nodes": "2"}},
        {"pattern": {"nodes": 2, "edges": [[0]]}},
        {"pattern": {"nodes": 2, "edges": [[0, 1, 1]]}},
        {"pattern": {"nodes": 2, "edges": [[0, 1.5]]}},
        {"pattern": PAIR, "k": 0},
        {"pattern": PAIR, "k": 1_000_000},
        {"pattern": PAIR, "k": "3"},
        {"pattern": PAIR, "candidates": {"nodes": [{"distances": [0]}, None]}},
        {
            "pattern": PAIR,
            "candidates": {"nodes": [{"ids": [], "labels": [], "distances": []}, None]},
        },
        {"pattern": PAIR, "candidates": {"relations": [{"types": ["A"], "distances": ["0"]}]}},
        {"pattern": PAIR, "candidates": {"relations": [{"types": "A", "distances": [0]}]}},
    ],
)
async def test_bodies_of_other_shapes_are_refused(
    client: httpx.AsyncClient, body: dict[str, Any]
) -> None:
    response = await post(client, **body)
    assert response.status_code == 422
    assert response.json()["detail"]


async def test_loops_fit_only_loops_and_empty_lists_nothing(client: httpx.AsyncClient) -> None:
    loop = (await post(client, pattern={"nodes": 1, "edges": [[0, 0]]})).json()
    empty = [{"ids": [], "distances": []}]
    none = (await post(client, pattern={"nodes": 1}, candidates={"nodes": empty})).json()
    assert loop == none == {"matches": [], "complete": True}


async def test_large_bodies_are_refused_and_failures_told(
    client: httpx.AsyncClient, graph: MemoryGraph
) -> None:
    large = [{"ids": ["4:a-long-database-id:123456"] * 20_000, "distances": [0] * 20_000}]
    assert (
        await post(client, pattern={"nodes": 1}, candidates={"nodes": large})
    ).status_code == 413
    graph.fails = GraphTimeoutError("slow", "wait")
    assert (await post(client, pattern=PAIR)).status_code == 504
