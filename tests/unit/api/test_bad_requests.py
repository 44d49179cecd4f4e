"""What the service answers to everything else, over raw sockets too, and that it stays up."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import httpx
import pytest

from memory_app import MemoryGraph, WordModel, app_of, listening, served
from trellis.domain.errors import (
    GraphTimeoutError,
    GraphUnavailableError,
    ModelDamagedError,
    PluginMissingError,
    TrellisError,
)
from trellis.domain.ports import LanguageModel
from unit.api.asking import ASKED, EVENTS, JSON, ask, check_problem


async def still_answers(client: httpx.AsyncClient) -> None:
    assert (await ask(client))["answers"][0]["name"] == "Paris"


@pytest.mark.slow
@pytest.mark.parametrize(
    "question",
    [
        b'""',
        b'"  \\t\\n "',
        b'"?!"',
        b'"' + b"a" * 100_000 + b'"',
        b'"capital of \\u0000France"',
        b'"\\u001b[31mParis"',
        b'"\\ud800"',
        b'"\xed\xa0\x80"',
    ],
    ids=["empty", "blank", "marks", "long", "nul", "escape", "surrogate", "raw surrogate"],
)
async def test_unusable_questions(client: httpx.AsyncClient, question: bytes) -> None:
    for path in ("/v1/questions", "/v1/links", "/v1/retrieve/paths"):
        asked = b'{"question": ' + question + b"}"
        response = await client.post(path, content=asked, headers=JSON)
        assert check_problem(response, 422, "question")["remedy"]
    await still_answers(client)


@pytest.mark.parametrize(
    ("content", "status"),
    [
        (b"{", 400),
        (b'{"question": "\xff"}', 400),
        (b"\xff\xfe\x00", 400),
        (b"", 422),
        (b"[]", 422),
        (b'"text"', 422),
        (b'{"question": 5}', 422),
        (b'{"question": null}', 422),
        (b'{"question": "Paris?", "limit": 0}', 422),
        (b'{"question": "Paris?", "topics": []}', 422),
        (b'{"question": "Paris?", "topics": "Paris"}', 422),
        (b'{"question": "Paris?", "topics": [""]}', 422),
        (b'{"question": "Paris?", "topics": ["Atlantis"]}', 404),
        (b'{"question": "Paris?", "method": "guess"}', 422),
        (b'{"question": "Paris?", "\xed\xa0\x80": 1, "limit": "\\ud800"}', 422),
        (b"[" * 100_000, 400),
        (b'{"question": "' + b"a" * 300_000 + b'"}', 413),
    ],
)
async def test_unusable_bodies(client: httpx.AsyncClient, content: bytes, status: int) -> None:
    check_problem(await client.post("/v1/questions", content=content, headers=JSON), status)
    await still_answers(client)


@pytest.mark.parametrize(
    "kind", ["text/plain", "application/octet-stream", "multipart/form-data", "nonsense", None]
)
async def test_a_body_of_another_kind_is_refused(
    client: httpx.AsyncClient, kind: str | None
) -> None:
    headers = {"content-type": kind} if kind else {}
    for content in (b"\xff\x00", b'{"question": "The capital of France?"}'):
        response = await client.post("/v1/questions", content=content, headers=headers)
        check_problem(response, 415, "unsupported-media")
        assert response.headers["accept"] == "application/json"
    asked = {"model": "trellis", "messages": [{"role": "user", "content": "France?"}]}
    chat = await client.post("/v1/chat/completions", content=json.dumps(asked), headers=headers)
    assert (chat.status_code, chat.json()["error"]["type"]) == (415, "invalid_request_error")


@pytest.mark.slow
async def test_json_by_another_name_is_read(client: httpx.AsyncClient) -> None:
    for kind in ("application/json; charset=utf-8", "Application/JSON", "application/ld+json"):
        response = await client.post(
            "/v1/questions",
            content=b'{"question": "The capital of France?"}',
            headers={"content-type": kind},
        )
        assert response.status_code == 200, response.text


@pytest.mark.parametrize(
    ("path", "body", "said", "pointer"),
    [
        ("questions", {"metod": "gcr"}, "'metod'; did you mean 'method'?", "#/metod"),
        ("questions", {"Topic": ["Paris"]}, "'Topic'; did you mean 'topics'?", "#/Topic"),
        ("questions", {"budget": {"usd": 1}}, "'usd'; the fields are seconds, rows, tokens",
         "#/budget/usd"),
        ("questions", {"history": [{"question": "?", "answer": []}]}, "did you mean 'answers'?",
         "#/history/0/answer"),
        ("questions", {"a/b~" * 100: 1}, "a/b~a", None),
        ("links", {"topics": ["Paris"]}, "'topics'; the fields are question", "#/topics"),
        ("retrieve/paths", {"hop": 1}, "did you mean 'hops'?", "#/hop"),
    ],
)  # fmt: skip
async def test_an_unknown_field_is_refused_with_the_nearest_one(
    client: httpx.AsyncClient, path: str, body: dict[str, Any], said: str, pointer: str | None
) -> None:
    response = await client.post(f"/v1/{path}", json={"question": "Capital of France?", **body})
    problem = check_problem(response, 422)
    assert "unknown field" in problem["detail"]
    assert said in problem["detail"]
    [error] = problem["errors"]
    assert error["detail"] == problem["detail"]
    assert pointer in (None, error["pointer"])
    assert len(response.content) < 3_000
    await still_answers(client)


async def test_each_field_at_fault_is_listed_in_words_of_ours(client: httpx.AsyncClient) -> None:
    asked = {"question": 5, "limit": "3", "budget": {"seconds": 0}, "topics": [], "history": {}}
    problem = check_problem(await client.post("/v1/questions", json=asked), 422)
    assert {it["pointer"]: it["detail"] for it in problem["errors"]} == {
        "#/question": "question must be a text",
        "#/limit": "limit must be a number",
        "#/budget/seconds": "budget.seconds must be at least 1",
        "#/topics": "topics must not be empty",
        "#/history": "history must be a list",
    }
    listed = await client.get("/v1/answers", params={"limit": "many", "before": 0})
    assert check_problem(listed, 422)["errors"] == [
        {"detail": "limit must be a whole number", "parameter": "limit"},
        {"detail": "before must be at least 1", "parameter": "before"},
    ]
    for content, said in ((b"", "the body is missing"), (b"[]", "the body must be an object")):
        response = await client.post("/v1/questions", content=content, headers=JSON)
        assert check_problem(response, 422)["errors"] == [{"detail": said, "pointer": "#"}]


async def test_a_body_sent_in_pieces_is_measured_too(client: httpx.AsyncClient) -> None:
    async def pieces() -> Any:
        for _ in range(30):
            yield b" " * 10_000

    check_problem(await client.post("/v1/questions", content=pieces(), headers=JSON), 413)


async def test_an_unknown_method_is_told_those_there_are(client: httpx.AsyncClient) -> None:
    response = await client.post("/v1/questions", json={"question": "Paris?", "method": "guess"})
    assert "gcr" in check_problem(response, 422)["remedy"]


async def test_addresses_and_verbs_that_are_not_there(client: httpx.AsyncClient) -> None:
    check_problem(await client.get("/v2/questions"), 404)
    check_problem(await client.get("/v2/questions", headers={"Accept": "*/*, text/html"}), 404)
    check_problem(await client.get("/v1/answers/none"), 404)
    check_problem(await client.get("/v1/answers/%00%ff"), 404)
    response = await client.get("/v1/questions")
    assert check_problem(response, 405)["remedy"] == "it takes POST"
    assert response.headers["allow"] == "POST"
    check_problem(await client.get("/v1/answers", params={"limit": "many"}), 422)
    for address in ("/v1/answers", "/v1/answers/none"):
        refused = await client.put(address, json={})
        check_problem(refused, 405)
        assert refused.headers["allow"] == "HEAD, GET, DELETE"


@pytest.mark.parametrize(
    "address", ["/v1/answers", "/v1/schema", "/livez", "/metrics", "/", "/docs", "/v1/answers/none"]
)
async def test_head_is_answered_as_get_is_without_a_body(
    client: httpx.AsyncClient, address: str
) -> None:
    whole, head = await client.get(address), await client.head(address)
    assert (head.status_code, head.content) == (whole.status_code, b"")
    assert head.headers["content-type"] == whole.headers["content-type"]
    assert (await client.head("/v1/questions")).status_code == 405


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (GraphUnavailableError("Neo4j is not there", "start it"), 503),
        (GraphTimeoutError("Neo4j took long", "ask for less"), 504),
        (PluginMissingError("no procedures", "install them"), 503),
    ],
)
async def test_a_graph_that_fails_and_comes_back(
    client: httpx.AsyncClient, graph: MemoryGraph, error: TrellisError, status: int
) -> None:
    graph.fails = error
    assert check_problem(await client.post("/v1/questions", json=ASKED), status)["remedy"]
    check_problem(await client.get("/v1/schema"), status)
    unready = check_problem(await client.get("/readyz"), 503)
    assert [one["part"] for one in unready["missing"]] == ["graph"]
    streamed = await client.post("/v1/questions", json=ASKED, headers=EVENTS)
    assert check_problem(streamed, status)["detail"] == error.problem
    graph.fails = None
    await still_answers(client)
    assert (await client.get("/readyz")).status_code == 200


async def test_a_model_that_cannot_be_loaded_is_tried_again(
    tmp_path: Path, graph: MemoryGraph
) -> None:
    broken = True

    def load() -> LanguageModel:
        if broken:
            raise ModelDamagedError("the folder is cut short", "train it again")
        return WordModel()

    async with served(tmp_path, graph, load) as client:
        response = await client.post("/v1/questions", json=ASKED)
        assert check_problem(response, 503)["detail"] == "the folder is cut short"
        assert "model" in check_problem(await client.get("/readyz"), 503)["detail"]
        assert (await client.post("/v1/links", json={"question": "France?"})).status_code == 200
        broken = False
        await still_answers(client)


async def test_an_error_that_nobody_foresaw_tells_nothing_of_the_inside(
    tmp_path: Path, graph: MemoryGraph
) -> None:
    def load() -> LanguageModel:
        raise KeyError("secret")

    async with served(tmp_path, graph, load) as client:
        response = await client.post("/v1/questions", json=ASKED)
        assert "secret" not in str(check_problem(response, 500))
        assert (await client.get("/livez")).status_code == 200


async def test_a_store_that_fails_loses_no_answer(tmp_path: Path, graph: MemoryGraph) -> None:
    async with served(tmp_path / "none", graph) as client:
        await still_answers(client)
        assert any("not kept" in note for note in (await ask(client))["notes"])
        check_problem(await client.get("/v1/answers"), 503)
        unready = check_problem(await client.get("/readyz"), 503)
        assert [one["part"] for one in unready["missing"]] == ["store"]


LENGTHS = {
    "both": ("Content-Length: 5", "Transfer-Encoding: chunked"),
    "the other way round": ("Transfer-Encoding: chunked", "Content-Length: 5"),
    "in small letters": ("content-length: 5", "transfer-encoding: chunked"),
}
SMUGGLED = "0\r\n\r\nGET /livez HTTP/1.1\r\nHost: trellis\r\n\r\n"


@pytest.mark.parametrize("headers", LENGTHS.values(), ids=LENGTHS)
async def test_a_request_with_two_lengths_is_refused_and_its_connection_closed(
    headers: tuple[str, str], tmp_path: Path
) -> None:
    async with listening(app_of(tmp_path, MemoryGraph())) as address:
        host, _, port = address.removeprefix("http://").partition(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        begin = ("POST /v1/questions HTTP/1.1", "Host: trellis", *headers, "", "")
        writer.write(("\r\n".join(begin) + SMUGGLED).encode())
        async with asyncio.timeout(30):
            answered = (await reader.read()).decode()
        writer.close()
        await writer.wait_closed()
    assert answered.startswith("HTTP/1.1 400")
    assert answered.count("HTTP/1.1 ") == 1
    assert "urn:trellis:problem:two-lengths" in answered
