"""Answers as CSV over HTTP, and media types that nobody gives."""

from __future__ import annotations

import httpx
import pytest

from unit.api.asking import ASKED, check_problem

CLAIM = {"claim": "The capital of France is Paris."}
SILENT = {"question": "Как зовут столицу Атлантиды?"}


@pytest.mark.parametrize(
    "accept", ["text/csv", "text/csv;q=0.9, application/json;q=0.1", "text/csv, */*"]
)
async def test_an_answer_is_given_as_csv(client: httpx.AsyncClient, accept: str) -> None:
    response = await client.post("/v1/questions", json=ASKED, headers={"accept": accept})
    assert response.headers["content-type"] == "text/csv; charset=utf-8"
    assert response.text == "answer\r\nParis\r\n"
    assert response.headers["trellis-abstained"] == "false"
    id = response.headers["trellis-answer"]
    kept = await client.get(f"/v1/answers/{id}", headers={"accept": accept})
    assert (kept.text, kept.headers["trellis-answer"]) == (response.text, id)
    assert (await client.get(f"/v1/answers/{id}")).json()["answers"][0]["name"] == "Paris"


async def test_csv_of_no_answer_says_that_there_is_none(client: httpx.AsyncClient) -> None:
    response = await client.post("/v1/questions", json=SILENT, headers={"accept": "text/csv"})
    assert (response.text, response.headers["trellis-abstained"]) == ("answer\r\n", "true")


@pytest.mark.parametrize(
    "accept", ["", "*/*", "text/html, */*;q=0.8", "application/*", "text/csv;q=0, */*"]
)
async def test_json_is_given_to_whoever_takes_anything(
    client: httpx.AsyncClient, accept: str
) -> None:
    response = await client.post("/v1/questions", json=ASKED, headers={"accept": accept})
    assert response.json()["answers"][0]["name"] == "Paris"


@pytest.mark.parametrize("accept", ["application/xml", "text/html", "text/csv;q=0", "nonsense"])
async def test_what_is_not_given_is_refused(client: httpx.AsyncClient, accept: str) -> None:
    headers = {"accept": accept}
    asked = await client.post("/v1/questions", json=ASKED, headers=headers)
    problem = check_problem(asked, 406, "not-acceptable")
    assert problem["remedy"] == "accept application/json or text/event-stream or text/csv"
    assert (await client.get("/v1/answers")).json()["answers"] == []
    check_problem(await client.get("/v1/answers/latest", headers=headers), 406)


async def test_a_verdict_has_no_rows(client: httpx.AsyncClient) -> None:
    verified = (await client.post("/v1/claims", json=CLAIM)).json()
    response = await client.get(f"/v1/answers/{verified['id']}", headers={"accept": "text/csv"})
    assert "no rows" in check_problem(response, 406)["detail"]
