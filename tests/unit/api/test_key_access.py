"""Who is let in: keys, scopes, rate limits and the audit, as a client meets them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi.routing import APIRoute
from starlette.types import Message, Receive, Scope, Send

from memory_app import MemoryGraph, app_of, listening, open_client
from trellis import Client
from trellis.access.guard import Guard
from trellis.access.routes import is_listed, is_open
from trellis.access.tokens import KeyToken
from trellis.domain.errors import KeyRequiredError
from trellis.store.tables import AuditRow
from unit.api.asking import ASKED, EVENTS, check_problem


@dataclass(frozen=True)
class Door:
    """A service that asks for keys: a client without one, and what makes and reads them."""

    client: httpx.AsyncClient
    guard: Guard

    async def key(self, *scopes: str, **more: Any) -> dict[str, str]:
        """The header of a new key."""
        return bearer(await self.guard.keys.create_key("test", scopes or ("ask",), **more))

    async def count_answers(self, headers: dict[str, str]) -> int:
        """How many answers are listed to a key."""
        return len((await self.client.get("/v1/answers", headers=headers)).json()["answers"])

    async def audit(self) -> list[AuditRow]:
        """The audit rows, oldest first, once they are all written."""
        await self.guard.audit.finish_writes()
        return [*reversed(await self.guard.audit.list_rows(100))]


def bearer(token: KeyToken | str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


@asynccontextmanager
async def guarded(folder: Path, **settings: Any) -> AsyncIterator[Door]:
    app = app_of(folder, MemoryGraph(), **{"require_keys": True, **settings})
    async with open_client(app) as client:
        yield Door(client, app.state.guard)


@pytest.fixture
async def door(tmp_path: Path) -> AsyncIterator[Door]:
    async with guarded(tmp_path) as opened:
        yield opened


async def test_a_valid_key_is_let_in_and_its_use_is_noted(door: Door) -> None:
    answered = await door.client.post("/v1/questions", json=ASKED, headers=await door.key("ask"))
    assert answered.status_code == 200
    assert answered.json()["answers"][0]["name"] == "Paris"


@pytest.mark.parametrize(
    "headers",
    [
        {"Authorization": ""},
        {"Authorization": "Bearer"},
        {"Authorization": "Basic dHJlOmxsaXM="},
        bearer(KeyToken.create()),
        bearer(str(KeyToken.create()) + "\0"),
        bearer("\0"),
        bearer("a.b.c"),
        bearer("é" * 9_000),
    ],
    ids=["empty", "no token", "basic", "unknown", "NUL", "only NUL", "a JWT", "long"],
)
async def test_what_is_no_key_is_refused(door: Door, headers: dict[str, str]) -> None:
    raw = [(name, value.encode()) for name, value in headers.items()]
    response = await door.client.post("/v1/questions", json=ASKED, headers=raw)
    check_problem(response, 401, "key-refused")
    assert response.headers["WWW-Authenticate"] == 'Bearer realm="trellis", error="invalid_token"'


async def test_no_key_and_two_keys_are_refused(door: Door) -> None:
    response = await door.client.post("/v1/questions", json=ASKED)
    check_problem(response, 401, "key-required")
    assert response.headers["WWW-Authenticate"] == 'Bearer realm="trellis"'
    key = (await door.key("ask"))["Authorization"]
    twice = [("Authorization", key), ("Authorization", key)]
    check_problem(await door.client.get("/v1/methods", headers=twice), 401, "key-refused")
    assert await door.audit() == []


async def test_a_key_that_is_revoked_or_has_expired_is_refused(door: Door) -> None:
    headers = await door.key("ask")
    assert (await door.client.get("/v1/answers", headers=headers)).status_code == 200
    [key] = await door.guard.keys.list_keys()
    await door.guard.keys.revoke_key(key.id)
    response = await door.client.get("/v1/answers", headers=headers)
    assert "revoked" in check_problem(response, 401, "key-refused")["detail"]
    expired = await door.key("ask", expires_at=datetime(2020, 1, 1))
    response = await door.client.get("/v1/answers", headers=expired)
    assert "expired at 2020-01-01" in check_problem(response, 401, "key-refused")["detail"]


@pytest.mark.parametrize(
    ("verb", "path", "wanted"),
    [
        ("POST", "/v1/questions", "ask"),
        ("POST", "/v1/claims", "ask"),
        ("GET", "/v1/answers", "ask"),
        ("GET", "/v1/answers/latest", "ask"),
        ("DELETE", "/v1/answers/latest", "ask"),
        ("DELETE", "/v1/conversations/talk", "ask"),
        ("POST", "/v1/answers/latest/feedback", "feedback"),
        ("GET", "/v1/names?start=Fr", "ask"),
        ("POST", "/v1/links", "retrieve"),
        ("POST", "/v1/retrieve/paths", "retrieve"),
        ("POST", "/v1/retrieve/patterns", "retrieve"),
        ("POST", "/v1/retrieve/traces", "retrieve"),
        ("POST", "/v1/cypher/run", "cypher"),
        ("POST", "/v1/cypher/explain", "cypher"),
        ("GET", "/metrics", "admin"),
        ("GET", "/v1/what-nobody-listed", "admin"),
    ],
)
async def test_a_key_that_lacks_a_scope_is_told_which(
    door: Door, verb: str, path: str, wanted: str
) -> None:
    others = [it for it in ("ask", "retrieve", "cypher", "feedback", "admin") if it != wanted]
    refused = await door.client.request(verb, path, headers=await door.key(*others))
    assert f"the scope `{wanted}`" in check_problem(refused, 403, "scope")["detail"]
    assert f'scope="{wanted}"' in refused.headers["WWW-Authenticate"]
    opened = await door.client.request(verb, path, headers=await door.key(wanted))
    assert opened.status_code not in (401, 403)


async def test_schema_and_methods_are_open_to_any_key(door: Door) -> None:
    for scope in ("ask", "cypher", "feedback"):
        headers = await door.key(scope)
        for path in ("/v1/schema", "/v1/methods"):
            assert (await door.client.get(path, headers=headers)).status_code == 200


async def test_health_and_the_description_ask_for_no_key(door: Door) -> None:
    page = ("/", "/page/scripts/main.js")
    for path in ("/livez", "/readyz", "/docs", "/openapi.json", *page):
        assert (await door.client.get(path)).status_code == 200, path
    for path in ("/metrics", "/v1/schema", "/livez/", "/docs/../v1/schema", "//v1/schema"):
        assert (await door.client.get(path)).status_code == 401, path


def test_every_route_is_open_or_has_a_rule(tmp_path: Path) -> None:
    app = app_of(tmp_path, MemoryGraph())
    paths = [route.path for route in app.routes if isinstance(route, APIRoute)]
    assert paths
    filled = [path.replace("{id}", "an-id") for path in paths]
    assert [path for path in filled if not is_open(path) and not is_listed(path)] == []


@pytest.mark.parametrize("is_required", [True, False])
async def test_a_key_in_the_address_is_refused_whatever_it_is_called(
    tmp_path: Path, is_required: bool, caplog: pytest.LogCaptureFixture
) -> None:
    async with guarded(tmp_path, require_keys=is_required) as door:
        token = await door.guard.keys.create_key("test", ["ask"])
        for query in (f"limit=1&x={token}", f"x=trl%255F{token.id}%255F{token.secret}", "KEY=1"):
            for headers in ({}, bearer(token)):
                refused = await door.client.get(f"/v1/answers?{query}", headers=headers)
                check_problem(refused, 400, "key-in-address")
                assert token.secret not in refused.text
        for path in (f"/v1/answers/{token}", f"/v1/answers/trl%25255F{token.id}_{token.secret}"):
            refused = await door.client.get(path, headers=bearer(token))
            check_problem(refused, 400, "key-in-address")
        assert token.secret not in caplog.text
        assert token.secret not in "".join(row.path for row in await door.audit())


async def test_a_streamed_answer_has_its_audit_row_before_it_goes_out(tmp_path: Path) -> None:
    app = app_of(tmp_path, MemoryGraph(), require_keys=True)
    kept: dict[bool, int] = {}

    async def watch_sending(scope: Scope, receive: Receive, send: Send) -> None:
        async def look_first(message: Message) -> None:
            text = bytes(message.get("body", b"")).decode()
            if text.startswith("event:"):
                rows = await app.state.guard.audit.list_rows(100)
                kept.setdefault(text.startswith("event: answer"), len(rows))
            await send(message)

        await app(scope, receive, look_first)

    transport = httpx.ASGITransport(watch_sending)
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=transport, base_url="http://trellis") as client,
    ):
        headers = await Door(client, app.state.guard).key("ask")
        told = await client.post("/v1/questions", json=ASKED, headers={**headers, **EVENTS})
        assert "event: done" in told.text
    assert kept == {False: 0, True: 1}


@pytest.mark.slow
async def test_answers_are_seen_by_the_key_they_were_given_to_and_by_admin(door: Door) -> None:
    mine, yours = await door.key("ask", "feedback"), await door.key("ask", "feedback")
    id = (await door.client.post("/v1/questions", json=ASKED, headers=mine)).json()["id"]
    claim = {"claim": "The capital of France is Paris."}
    assert (await door.client.post("/v1/claims", json=claim, headers=mine)).status_code == 200

    assert [await door.count_answers(headers) for headers in (mine, yours)] == [2, 0]
    assert await door.count_answers(await door.key("ask", "admin")) == 2
    for path in (f"/v1/answers/{id}", "/v1/answers/latest"):
        assert (await door.client.get(path, headers=mine)).status_code == 200
        check_problem(await door.client.get(path, headers=yours), 404, "not-kept")
    said = {"right": True}
    for headers, status in ((mine, 201), (yours, 404)):
        told = await door.client.post(f"/v1/answers/{id}/feedback", json=said, headers=headers)
        assert told.status_code == status


@pytest.mark.slow
async def test_answers_are_deleted_by_whoever_may_read_them(door: Door) -> None:
    mine, yours = await door.key("ask"), await door.key("ask")
    admin = await door.key("ask", "admin")
    talk = {**ASKED, "conversation": "talk"}
    for headers in (mine, yours):
        await door.client.post("/v1/questions", json=talk, headers=headers)
    asked = await door.client.post("/v1/questions", json=ASKED, headers=mine)

    async def delete(path: str, headers: dict[str, str]) -> int:
        return (await door.client.delete(path, headers=headers)).status_code

    async def count() -> list[int]:
        return [await door.count_answers(headers) for headers in (mine, yours)]

    one = f"/v1/answers/{asked.json()['id']}"
    assert await delete(one, yours) == 404
    assert await delete("/v1/conversations/talk", admin) == 404  # which it has not asked itself
    assert await delete("/v1/answers", admin) == 204
    assert await count() == [2, 1]
    assert await delete(one, admin) == 204
    assert await delete("/v1/conversations/talk", mine) == 204
    assert await count() == [0, 1]
    assert await delete("/v1/answers", await door.key("feedback", "cypher")) == 403
    deleted = [row for row in await door.audit() if row.verb == "DELETE"]
    assert [(row.path, row.rows, row.outcome) for row in deleted[:2]] == [
        (one, None, "NotKeptError"),
        ("/v1/conversations/talk", None, "NotKeptError"),
    ]
    assert [row.rows for row in deleted if row.outcome == "204"] == [0, 1, 1]


async def test_a_key_that_asks_too_often_is_told_when_it_may(tmp_path: Path) -> None:
    async with guarded(tmp_path, rate_limit="2/hour") as door:
        headers = await door.key("ask")
        for remaining in (1, 0):
            response = await door.client.get("/v1/answers", headers=headers)
            assert response.headers["RateLimit-Policy"] == '"2 per 1 hour";q=2;w=3600'
            assert response.headers["RateLimit"].startswith(f'"2 per 1 hour";r={remaining};t=')
        refused = await door.client.get("/v1/answers", headers=headers)
        check_problem(refused, 429, "rate-limit")
        assert 1 <= int(refused.headers["Retry-After"]) <= 3_600
        assert ";r=0;" in refused.headers["RateLimit"]
        assert (await door.client.get("/v1/answers", headers=await door.key("ask"))).is_success
        assert (await door.client.get("/livez")).is_success
        assert [row.outcome for row in await door.audit()] == ["200", "200", "200"]


async def test_a_key_that_used_its_seconds_of_the_database_is_told_when_to_ask(
    tmp_path: Path,
) -> None:
    read = {"query": "MATCH (n)-[r]->() RETURN type(r) AS relation, count(*) AS many"}
    async with guarded(tmp_path, cypher_seconds=1e-9) as door:
        first, other = await door.key("cypher"), await door.key("cypher")
        ran = [
            await door.client.post("/v1/cypher/run", json=read, headers=headers)
            for headers in (first, first, other)
        ]
    assert [one.status_code for one in ran] == [200, 429, 200]
    check_problem(ran[1], 429, "rate-limit")
    assert int(ran[1].headers["Retry-After"]) > 1


async def test_where_no_key_is_asked_for_an_address_is_limited(tmp_path: Path) -> None:
    async with guarded(tmp_path, require_keys=False, rate_limit="1/hour") as door:
        assert (await door.client.get("/v1/answers")).is_success
        check_problem(await door.client.get("/v1/answers"), 429, "rate-limit")
        assert await door.audit() == []


async def test_the_audit_says_who_asked_what_and_how_it_ended(door: Door) -> None:
    headers = await door.key("ask", "cypher")
    await door.client.post("/v1/questions", json=ASKED, headers=headers)
    await door.client.post("/v1/questions", json={"question": " "}, headers=headers)
    streamed = {**headers, **EVENTS}
    await door.client.post("/v1/questions", json={**ASKED, "method": "dog"}, headers=streamed)
    await door.client.post("/v1/links", json=ASKED, headers=headers)
    rows = await door.audit()
    [key] = await door.guard.keys.list_keys()
    assert {row.caller for row in rows} == {key.id}
    assert [(row.verb, row.path, row.rows, row.outcome) for row in rows] == [
        ("POST", "/v1/questions", 1, "200"),
        ("POST", "/v1/questions", None, "QuestionError"),
        ("POST", "/v1/questions", None, "WrongTaskError"),
        ("POST", "/v1/links", None, "ScopeError"),
    ]
    assert rows[0].query_hash == rows[2].query_hash != rows[1].query_hash
    assert len(rows[0].query_hash) == 64
    assert rows[3].query_hash == ""
    assert {row.query for row in rows} == {None}
    assert all(row.seconds > 0 for row in rows)


async def test_the_audit_holds_texts_where_they_are_wanted(tmp_path: Path) -> None:
    async with guarded(tmp_path, audit_texts=True) as door:
        await door.client.post("/v1/questions", json=ASKED, headers=await door.key("ask"))
        assert [row.query for row in await door.audit()] == [ASKED["question"]]


async def test_a_store_that_is_away_lets_nobody_in(tmp_path: Path) -> None:
    async with guarded(tmp_path, store_url="sqlite+aiosqlite:////no/such/x.db") as door:
        response = await door.client.get("/v1/methods", headers=bearer(KeyToken.create()))
        check_problem(response, 503, "store")


async def test_the_client_sends_its_key(tmp_path: Path) -> None:
    app = app_of(tmp_path, MemoryGraph(), require_keys=True)
    async with listening(app) as address:
        guard: Guard = app.state.guard
        token = await guard.keys.create_key("test", ["ask"])
        async with Client(address, key=str(token)) as client:
            assert (await client.ask(ASKED["question"])).answers[0].name == "Paris"
        async with Client(address) as client:
            with pytest.raises(KeyRequiredError):
                await client.list_methods()


def list_security(described: dict[str, Any]) -> dict[str, Sequence[Any]]:
    return {
        f"{verb} {path}": operation.get("security", ())
        for path, operations in described["paths"].items()
        for verb, operation in operations.items()
    }


async def test_the_description_says_which_scope_each_operation_wants(tmp_path: Path) -> None:
    described = app_of(tmp_path, MemoryGraph(), require_keys=True).openapi()
    assert described["components"]["securitySchemes"]["key"]["scheme"] == "bearer"
    wanted = list_security(described)
    assert wanted["post /v1/questions"] == [{"key": ["ask"]}]
    assert wanted["get /v1/schema"] == [{"key": []}]
    assert wanted["get /livez"] == []
    assert {"401", "403", "429"} <= set(described["paths"]["/v1/schema"]["get"]["responses"])
    open_to_all = app_of(tmp_path, MemoryGraph()).openapi()
    assert "securitySchemes" not in open_to_all["components"]
    assert set(map(tuple, list_security(open_to_all).values())) == {()}
