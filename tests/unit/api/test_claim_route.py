"""`POST /v1/claims`: verdicts, and what is refused."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from unit.api.asking import check_problem


async def verify(client: httpx.AsyncClient, claim: str) -> dict[str, Any]:
    response = await client.post("/v1/claims", json={"claim": claim})
    assert response.status_code == 200, response.text
    body: dict[str, Any] = response.json()
    return body


@pytest.mark.parametrize(
    ("claim", "verdict", "evidence"),
    [
        ("The capital of France is Paris.", "supported", [["France", "HAS_CAPITAL", "Paris"]]),
        ("The capital of France is Berlin.", "refuted", [["France", "HAS_CAPITAL", "Paris"]]),
        ("The capital of Canada is Atlantis.", "not_enough_evidence", []),
    ],
)
async def test_verdicts(
    client: httpx.AsyncClient, claim: str, verdict: str, evidence: list[list[str]]
) -> None:
    body = await verify(client, claim)
    assert (body["verdict"], body["evidence"]) == (verdict, evidence), body
    assert 0 <= body["confidence"] <= 1
    assert [step["name"] for step in body["steps"]][:2] == ["link", "read"]


async def test_a_verdict_is_kept(client: httpx.AsyncClient) -> None:
    body = await verify(client, "The capital of France is Paris.")
    kept = await client.get(f"/v1/answers/{body['id']}")
    assert kept.json() == body
    page = (await client.get("/v1/answers")).json()
    assert page["answers"][0]["answers"] == ["supported"]


@pytest.mark.parametrize(
    ("claim", "said"),
    [
        ("", "empty"),
        ("  ", "empty"),
        ("a" * 10_000, "characters"),
        ("Is Paris the capital of France?", "question"),
        ("Paris\x00 is big.", "not text"),
    ],
)
async def test_what_is_no_claim(client: httpx.AsyncClient, claim: str, said: str) -> None:
    response = await client.post("/v1/claims", json={"claim": claim})
    assert said in check_problem(response, 422)["detail"]


async def test_two_claims_in_one_are_one_conjunction(client: httpx.AsyncClient) -> None:
    one = "The capital of France is Paris and the capital of Germany is Berlin."
    body = await verify(client, one)
    assert body["verdict"] == "supported"
    assert ["Germany", "HAS_CAPITAL", "Berlin"] in body["evidence"]


async def test_a_body_without_a_claim(client: httpx.AsyncClient) -> None:
    response = await client.post("/v1/claims", json={"question": "The capital of France?"})
    assert response.status_code == 422


async def test_a_list_of_names_ends(client: httpx.AsyncClient) -> None:
    names = " and ".join(["France", "Germany", "Paris", "Berlin", "French", "Canada"] * 8)
    assert (await verify(client, f"{names} border one another."))["verdict"]
