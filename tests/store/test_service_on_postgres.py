"""The service whose store is a PostgreSQL, which refuses more than SQLite does."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from memory_app import MemoryGraph, app_of, open_client
from trellis.questions.judged import JudgedQuestions
from trellis.store.answers import Store
from trellis.store.database import Database
from trellis.store.tables import FeedbackRow

ASKED = {"question": "What is the capital of France?"}


def make_app(folder: Path, url: str, **settings: Any) -> FastAPI:
    return app_of(folder, MemoryGraph(), store_url=url, audit_texts=True, **settings)


@pytest.fixture
async def client(tmp_path: Path, url: str) -> AsyncIterator[httpx.AsyncClient]:
    async with open_client(make_app(tmp_path, url)) as opened:
        yield opened


async def test_answers_and_feedback_go_through(client: httpx.AsyncClient) -> None:
    assert (await client.get("/readyz")).json() == {"ready": True}
    given = (await client.post("/v1/questions", json=ASKED)).json()
    kept = (await client.get("/v1/answers/latest")).json()
    assert kept["id"] == given["id"]
    assert kept["answers"][0]["name"] == "Paris"
    noted = await client.post(f"/v1/answers/{kept['id']}/feedback", json={"right": True})
    assert noted.status_code == 201
    [listed] = (await client.get("/v1/answers")).json()["answers"]
    assert listed["asked_at"].endswith(("Z", "+00:00"))


@pytest.mark.parametrize("text", ["\0", "x\0y", "\ud800"], ids=["NUL", "inside", "surrogate"])
@pytest.mark.parametrize("field", ["comment", "expected"])
async def test_feedback_that_cannot_be_stored_is_the_askers_fault(
    client: httpx.AsyncClient, field: str, text: str
) -> None:
    id = (await client.post("/v1/questions", json=ASKED)).json()["id"]
    body = {"right": False, field: text if field == "comment" else [text]}
    response = await client.post(
        f"/v1/answers/{id}/feedback",
        content=json.dumps(body),
        headers={"Content-Type": "application/json"},
    )
    assert response.status_code == 422, response.text


@pytest.mark.parametrize("before", [1, 2**31 - 1, 2**31, 2**63])
async def test_pages_start_at_any_number(client: httpx.AsyncClient, before: int) -> None:
    response = await client.get("/v1/answers", params={"before": before})
    assert response.status_code == (200 if before < 2**31 else 422), response.text


@pytest.mark.parametrize(
    "path",
    [
        "/v1/graphs/a%00b/schema",
        "/v1/schema%00",
        f"/v1/{'x' * 5_000}",
        f"/v1/graphs/{'g' * 500}/schema",
        "/v1/%ed%a0%80",
        "/v1/graphs/%f0%9f%98%80/schema",
    ],
    ids=["NUL in graph", "NUL in path", "long path", "long graph", "bad UTF-8", "emoji"],
)
async def test_no_request_of_a_key_escapes_the_audit(tmp_path: Path, url: str, path: str) -> None:
    app = make_app(tmp_path, url, require_keys=True)
    async with open_client(app) as client:
        guard = app.state.guard
        key = await guard.keys.create_key("test", ("ask", "admin"))
        response = await client.get(path, headers={"Authorization": f"Bearer {key}"})
        assert response.status_code in (403, 404), response.text
        await guard.audit.finish_writes()
        [row] = await guard.audit.list_rows(10)
        assert row.caller == key.id


async def test_a_judgement_that_is_committed_late_is_read_too(url: str, database: Database) -> None:
    store = Store(database, "default")
    for id, asked in (("late", "Who?"), ("other", "When?")):
        await store.save_answer(id, asked, "gcr", 0.5, {"question": asked, "abstained": False})
    judged = JudgedQuestions(store)

    async def list_right_answers() -> dict[str, tuple[str, ...]]:
        return {each.row.question: each.row.answers or () for each in await judged.list_judged()}

    behind = Database.at(url)
    async with behind.begin_session() as session:
        said: dict[str, Any] = {"right": False, "comment": "", "noted_at": datetime.now(UTC)}
        session.add(FeedbackRow(answer_id="late", expected=["Ann"], **said))
        session.add(FeedbackRow(answer_id="other", expected=["1900"], **said))
        await session.flush()  # both have their numbers, and nobody else sees them
        await store.save_feedback("other", False, ["1901"], "")
        assert await list_right_answers() == {"When?": ("1901",)}
    await behind.close()
    assert await list_right_answers() == {"Who?": ("Ann",), "When?": ("1901",)}
    assert await list_right_answers() == {"Who?": ("Ann",), "When?": ("1901",)}
