"""`POST /v1/retrieve/patterns` and `/v1/retrieve/traces`, asked well and badly."""

from __future__ import annotations

import json
from math import inf, nan
from typing import Any

import httpx
import pytest

from memory_app import MemoryGraph
from trellis.domain.errors import GraphTimeoutError
from unit.api.asking import JSON, check_problem

NODE, PAIR = {"nodes": 1}, {"nodes": 2, "edges": [[0, 1]]}
LOOP = {"nodes": 1, "edges": [[0, 0]]}
FRANCE, CANADA = ({"names": [name], "scores": [1.0]} for name in ("France", "Canada"))


def near(pattern: Any = PAIR, **candidates: Any) -> dict[str, Any]:
    """A request for what is nearest to a pattern."""
    return {"pattern": pattern, "candidates": candidates} if candidates else {"pattern": pattern}


def trace(*nodes: Any, graph: Any = PAIR, relations: Any = None, **more: Any) -> dict[str, Any]:
    """A request for traces from these nodes; the first is France, unless it is given."""
    candidates = {
        "nodes": nodes or (FRANCE, None),
        **({"relations": relations} if relations else {}),
    }
    return {"schema_graph": graph, "candidates": candidates, **more}


async def post(client: httpx.AsyncClient, route: str, body: dict[str, Any]) -> httpx.Response:
    """Send a body as it stands, also what is no JSON, such as NaN."""
    sent = json.dumps(body)
    return await client.post(f"/v1/retrieve/{route}", content=sent, headers=JSON)


async def test_the_nearest_subgraphs_come_first(client: httpx.AsyncClient) -> None:
    relations = [{"types": ["HAS_CAPITAL", "SPEAKS"], "distances": [0.5, 0]}]
    nodes = [{"ids": ["n0"], "distances": [0.25]}, None]
    asked = {**near(nodes=nodes, relations=relations), "k": 5}
    found = (await post(client, "patterns", asked)).json()
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
    asked = {**near(nodes=[None, {"ids": ["n0"], "distances": [0]}]), "k": 10}
    either = (await post(client, "patterns", asked)).json()
    kept = (await post(client, "patterns", {**asked, "directed": True})).json()
    assert (len(either["matches"]), kept["matches"]) == (3, [])


async def test_loops_fit_only_loops_and_empty_lists_nothing(client: httpx.AsyncClient) -> None:
    for body in (near(LOOP), near(NODE, nodes=[{"ids": [], "distances": []}])):
        found = (await post(client, "patterns", body)).json()
        assert found == {"matches": [], "complete": True}


async def test_precision_takes_the_best_and_breadth_all_above_the_threshold(
    client: httpx.AsyncClient,
) -> None:
    asked = trace(relations=[{"types": ["HAS_CAPITAL", "SPEAKS"], "scores": [0.5, 0.75]}])
    best = (await post(client, "traces", asked)).json()
    [found] = best["traces"]
    assert best["complete"]
    assert (found["triples"], found["scores"]) == ([["France", "SPEAKS", "French"]], [0.75])
    assert found["score"] == 1.75
    [relationship] = found["relationships"]
    assert [relationship["source"], relationship["target"]] == [n["id"] for n in found["nodes"]]
    broad = {**asked, "strategy": "breadth", "threshold": 0.5}
    wide = (await post(client, "traces", broad)).json()
    assert [t["triples"][0][2] for t in wide["traces"]] == ["French", "Paris"]


async def test_conditions_join_in_one_node(client: httpx.AsyncClient) -> None:
    meeting = {"nodes": 3, "edges": [[0, 2], [1, 2]]}
    found = (await post(client, "traces", trace(FRANCE, CANADA, None, graph=meeting))).json()
    assert [t["nodes"][2]["name"] for t in found["traces"]] == ["French"]


async def test_a_cycle_is_closed_or_nothing_is_found(client: httpx.AsyncClient) -> None:
    cycle = {"nodes": 3, "edges": [[0, 1], [1, 2], [2, 0]]}
    found = (await post(client, "traces", trace(FRANCE, None, None, graph=cycle))).json()
    assert found == {"traces": [], "complete": True}


@pytest.mark.parametrize(
    ("route", "body", "reason"),
    [
        ("patterns", near({"nodes": 0}), "a pattern of 0 nodes"),
        ("patterns", near({"nodes": 2, "edges": [[0, 1]] * 30}), "a pattern of 30 edges"),
        ("patterns", near({"nodes": 2}), "several parts"),
        ("patterns", near({"nodes": 2, "edges": [[0, 7]]}), "joins 0 and 7"),
        ("patterns", near(nodes=[]), "list 0 nodes"),
        ("patterns", near(NODE, nodes=[{"ids": ["n99"], "distances": [0]}]), "not there"),
        (
            "patterns",
            near(NODE, nodes=[{"ids": ["n0"], "distances": []}]),
            "1 node candidates have 0 distances",
        ),
        *(
            (
                "patterns",
                near(LOOP, relations=[{"types": ["A"], "distances": [distance]}]),
                f"the distance of the relation candidate 'A' is {distance}",
            )
            for distance in (-1.0, nan, inf)
        ),
        ("traces", {**trace(graph={"nodes": 0}), "candidates": {"nodes": []}}, "of 0 nodes"),
        ("traces", trace(graph={"nodes": 2}), "several parts"),
        ("traces", trace(None, None), "list no node"),
        ("traces", trace(FRANCE), "list 1 nodes"),
        ("traces", trace({**FRANCE, "names": ["Atlantis"]}, None), "no node is named 'Atlantis'"),
        ("traces", trace({**FRANCE, "scores": []}, None), "1 names have 0 scores"),
        ("traces", trace({"ids": ["n99"], "scores": [1]}, None), "not there"),
        ("traces", trace(guidance=["n99"]), "not there"),
        *(
            (
                "traces",
                trace(relations=[{"types": ["A"], "scores": [score]}]),
                f"the score of the relation candidate 'A' is {score}",
            )
            for score in (-1.0, nan, inf)
        ),
        ("traces", trace(threshold=-1), "threshold is -1"),
    ],
)
async def test_what_cannot_be_searched_for_is_refused_with_the_reason(
    client: httpx.AsyncClient, route: str, body: dict[str, Any], reason: str
) -> None:
    problem = check_problem(await post(client, route, body), 422, "pattern")
    assert reason in problem["detail"]
    assert problem["remedy"]


@pytest.mark.parametrize(
    ("route", "body"),
    [
        ("patterns", {}),
        ("patterns", near(None)),
        ("patterns", near({"nodes": "2"})),
        *(("patterns", near({"nodes": 2, "edges": [edge]})) for edge in ([0], [0, 1, 1], [0, 1.5])),
        *(("patterns", {**near(), "k": k}) for k in (0, 1_000_000, "3")),
        ("patterns", near(nodes=[{"distances": [0]}, None])),
        ("patterns", near(nodes=[{"ids": [], "labels": [], "distances": []}, None])),
        ("patterns", near(relations=[{"types": ["A"], "distances": ["0"]}])),
        ("patterns", near(relations=[{"types": "A", "distances": [0]}])),
        ("traces", {}),
        ("traces", {"schema_graph": PAIR}),
        ("traces", trace({"scores": [1]}, None)),
        ("traces", trace(strategy="wide")),
        ("traces", trace(limit=0)),
        ("traces", trace(limit="3")),
        ("traces", trace(revisit="never")),
        ("traces", trace(threshold="0.5")),
    ],
)
async def test_bodies_of_other_shapes_are_refused(
    client: httpx.AsyncClient, route: str, body: dict[str, Any]
) -> None:
    check_problem(await post(client, route, body), 422)


async def test_large_bodies_are_refused(client: httpx.AsyncClient) -> None:
    large = [{"ids": ["4:a-long-database-id:123456"] * 20_000, "distances": [0] * 20_000}]
    assert (await post(client, "patterns", near(NODE, nodes=large))).status_code == 413


@pytest.mark.parametrize(("route", "body"), [("patterns", near()), ("traces", trace())])
async def test_failures_are_told(
    client: httpx.AsyncClient, graph: MemoryGraph, route: str, body: dict[str, Any]
) -> None:
    graph.fails = GraphTimeoutError("slow", "wait")
    assert (await post(client, route, body)).status_code == 504
