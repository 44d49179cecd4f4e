"""How much the service takes on, and that it stops when nobody waits any more."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from memory_app import HeldModel, MemoryGraph, app_of, listening
from unit.api.asking import ASKED, EVENTS, QUESTION, check_problem

CHAT = {"stream": True, "messages": [{"role": "user", "content": QUESTION}]}


@pytest.fixture
def model() -> HeldModel:
    return HeldModel()


@asynccontextmanager
async def over_http(
    folder: Path, model: HeldModel, **settings: Any
) -> AsyncIterator[httpx.AsyncClient]:
    """A client of a real socket, whose going away a service notices."""
    app = app_of(folder, MemoryGraph(), lambda: model, **settings)
    async with listening(app) as address, httpx.AsyncClient(base_url=address) as client:
        yield client


async def start_asking(
    client: httpx.AsyncClient, model: HeldModel, headers: Mapping[str, str] | None = None
) -> asyncio.Task[httpx.Response]:
    """A question that has come as far as the model, and waits there."""
    asking = asyncio.create_task(client.post("/v1/questions", json=ASKED, headers=headers))
    await model.until(lambda: model.waiting == 1)
    return asking


async def running(client: httpx.AsyncClient) -> tuple[str, str]:
    """How many are answered and how many wait, as Prometheus is told."""
    text = (await client.get("/metrics")).text
    found = dict(re.findall(r"^trellis_(running|waiting) (\S+)$", text, re.MULTILINE))
    return found["running"], found["waiting"]


@pytest.mark.slow
async def test_more_questions_than_may_wait_are_refused_for_now(
    tmp_path: Path, model: HeldModel
) -> None:
    async with over_http(tmp_path, model, concurrency=1, waiting=1) as client:
        first = await start_asking(client, model)
        second = asyncio.create_task(client.post("/v1/questions", json=ASKED))
        while await running(client) != ("1.0", "1.0"):
            pass
        for headers in ({}, EVENTS):
            refused = await client.post("/v1/questions", json=ASKED, headers=headers)
            check_problem(refused, 429, "busy")
            assert int(refused.headers["Retry-After"]) >= 1
        assert (await client.post("/v1/links", json=ASKED)).status_code == 429
        assert (await client.get("/v1/methods")).status_code == 200
        model.go.set()
        assert [(await one).status_code for one in (first, second)] == [200, 200]
        assert await running(client) == ("0.0", "0.0")


@pytest.mark.slow
@pytest.mark.parametrize("headers", [{}, EVENTS], ids=["whole", "streamed"])
async def test_a_client_that_leaves_ends_its_question(
    tmp_path: Path, model: HeldModel, headers: dict[str, str]
) -> None:
    async with over_http(tmp_path, model, concurrency=1, waiting=0) as client:
        asking = await start_asking(client, model, headers)
        asking.cancel()
        await model.until(lambda: model.left == 1)
        model.go.set()
        again = await client.post("/v1/questions", json=ASKED)
        assert again.status_code == 200
        kept = (await client.get("/v1/answers")).json()["answers"]
        assert [one["id"] for one in kept] == [again.json()["id"]]
        assert 'outcome="left"} 1.0' in (await client.get("/metrics")).text


@pytest.mark.slow
async def test_a_question_that_takes_too_long_says_in_which_step(
    tmp_path: Path, model: HeldModel
) -> None:
    hurried = {**ASKED, "budget": {"seconds": 1}}
    async with over_http(tmp_path, model) as client:
        while not model.left:  # a slow machine may run out of time before the model is asked
            response = await client.post("/v1/questions", json=hurried)
            assert response.status_code == 504
        assert response.json()["type"] == "urn:trellis:problem:out-of-time"
        assert "`decode`" in response.json()["detail"]
        while model.left < 2:
            streamed = await client.post("/v1/questions", json=hurried, headers=EVENTS)
            assert "urn:trellis:problem:out-of-time" in streamed.text
        assert "`decode`" in streamed.text
        assert (model.left, model.waiting) == (2, 0)
        model.go.set()
        assert (await client.post("/v1/questions", json=ASKED)).status_code == 200


@pytest.mark.slow
async def test_waiting_counts_as_time_too(tmp_path: Path, model: HeldModel) -> None:
    async with over_http(tmp_path, model, concurrency=1) as client:
        first = await start_asking(client, model)
        hurried = {**ASKED, "budget": {"seconds": 1}}
        late = await client.post("/v1/questions", json=hurried)
        assert late.status_code == 504
        assert "`wait`" in late.json()["detail"]
        model.go.set()
        assert (await first).status_code == 200


@pytest.mark.slow
async def test_who_waits_is_told_the_place_in_the_line(tmp_path: Path, model: HeldModel) -> None:
    async def ask(client: httpx.AsyncClient) -> str:
        return (await client.post("/v1/questions", json=ASKED, headers=EVENTS)).text

    async with over_http(tmp_path, model, concurrency=1) as client:
        asking = [asyncio.create_task(ask(client))]
        await model.until(lambda: model.waiting == 1)
        for waiting in range(1, 4):
            asking.append(asyncio.create_task(ask(client)))
            while await running(client) != ("1.0", f"{waiting}.0"):
                pass
        model.go.set()
        told = [re.findall(r'"words":"(.*?)"', await one) for one in asking]
    lines = ["third in line", "second in line", "first in line"]
    assert told == [[], lines[2:], lines[1:], lines]


@pytest.mark.slow
async def test_idle_streams_leave_their_places_when_their_listeners_do(
    tmp_path: Path, model: HeldModel
) -> None:
    async with over_http(tmp_path, model, concurrency=2, waiting=8) as client:
        host, port = client.base_url.host, client.base_url.port
        body = json.dumps(ASKED)
        head = (
            *("POST /v1/questions HTTP/1.1", "Host: trellis", "Accept: text/event-stream"),
            *("Content-Type: application/json", f"Content-Length: {len(body)}", "", body),
        )
        streams = [await asyncio.open_connection(host, port) for _ in range(60)]
        for _, writer in streams:
            writer.write("\r\n".join(head).encode())
        while await running(client) != ("2.0", "8.0"):
            pass
        assert (await client.post("/v1/questions", json=ASKED)).status_code == 429
        assert (await client.get("/livez")).status_code == 200
        for _, writer in streams:
            writer.close()
        while await running(client) != ("0.0", "0.0"):
            pass
        model.go.set()
        assert (await client.post("/v1/questions", json=ASKED)).status_code == 200


@pytest.mark.slow
@pytest.mark.parametrize("path", ["questions", "links", "claims"])
async def test_a_client_says_how_long_it_waits(tmp_path: Path, model: HeldModel, path: str) -> None:
    async with over_http(tmp_path, model, concurrency=1) as client:
        first = await start_asking(client, model)
        body = {"claim": "The capital of France is Paris."} if path == "claims" else ASKED
        late = await client.post(f"/v1/{path}", json=body, headers={"Trellis-Timeout": "0.2"})
        assert late.status_code == 504
        assert late.json()["detail"] == "the time budget of 0.2 s ended in step `wait`"
        for seconds in ("0", "0.01", "-1", "soon", "nan", "inf", "4000"):
            headers = {"Trellis-Timeout": seconds}
            refused = await client.post(f"/v1/{path}", json=body, headers=headers)
            assert refused.status_code == 422
            assert refused.json()["errors"][0]["parameter"] == "Trellis-Timeout"
        model.go.set()
        assert (await first).status_code == 200


@pytest.mark.slow
async def test_the_deadline_of_a_client_ends_decoding(tmp_path: Path, model: HeldModel) -> None:
    async with over_http(tmp_path, model) as client:
        while not model.left:  # a slow machine may run out of time before the model is asked
            late = await client.post("/v1/questions", json=ASKED, headers={"Trellis-Timeout": "1"})
            assert late.status_code == 504
        assert "the time budget of 1 s ended in step `decode`" in late.json()["detail"]
        assert (model.left, model.waiting) == (1, 0)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("questions", {**ASKED, "method": "stem"}),
        (
            "chat/completions",
            {**CHAT, "model": "trellis-stem"},
        ),
    ],
)
async def test_a_stream_that_waits_for_its_turn_begins_before_it_has_one(
    tmp_path: Path, model: HeldModel, path: str, body: dict[str, Any]
) -> None:
    async with over_http(tmp_path, model, concurrency=1) as client:
        first = await start_asking(client, model)
        async with client.stream("POST", f"/v1/{path}", json=body, headers=EVENTS) as late:
            assert late.status_code == 200
            model.go.set()
            assert "no model does task" in "".join([text async for text in late.aiter_text()])
        assert (await first).status_code == 200


async def test_a_question_may_ask_for_a_smaller_budget_of_rows(client: httpx.AsyncClient) -> None:
    asked = {"question": "Who speaks it?", "topics": ["French"]}
    whole = (await client.post("/v1/questions", json=asked)).json()
    some = (await client.post("/v1/questions", json={**asked, "budget": {"rows": 1}})).json()
    assert (len(whole["answers"]), len(some["answers"])) == (2, 1)
    assert not whole["notes"]
    assert "1 rows" in some["notes"][0]
