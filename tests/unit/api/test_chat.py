"""The unmodified `openai` package against a service that listens."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import openai
import pytest

from memory_app import MemoryGraph, app_of, listening
from trellis.domain.errors import GraphUnavailableError
from unit.api.asking import JSON

QUESTION = {"role": "user", "content": "What is the capital of France?"}


@pytest.fixture
async def url(tmp_path: Path, graph: MemoryGraph) -> AsyncIterator[str]:
    async with listening(app_of(tmp_path, graph, concurrency=1)) as address:
        yield address


@pytest.fixture
async def client(url: str) -> AsyncIterator[openai.AsyncOpenAI]:
    async with openai.AsyncOpenAI(base_url=f"{url}/v1", api_key="none", max_retries=0) as opened:
        yield opened


async def complete(client: openai.AsyncOpenAI, *messages: Any, **more: Any) -> Any:
    given = {"model": "trellis", "messages": list(messages), **more}
    return await client.chat.completions.create(**given)


async def test_the_models_are_the_methods_that_can_answer(client: openai.AsyncOpenAI) -> None:
    listed = [model.id async for model in client.models.list()]
    assert listed == ["trellis", "trellis-gcr"]
    assert (await client.models.retrieve("trellis-gcr")).id == "trellis-gcr"
    with pytest.raises(openai.NotFoundError):
        await client.models.retrieve("gpt")


@pytest.mark.parametrize("model", ["trellis", "trellis-gcr"])
async def test_an_answer_has_its_facts_as_footnotes(client: openai.AsyncOpenAI, model: str) -> None:
    answer = await complete(client, QUESTION, model=model, temperature=0.2)
    (choice,) = answer.choices
    assert choice.finish_reason == "stop"
    assert choice.message.content == (
        "Paris [1]\n\n[1] France -HAS_CAPITAL-> Paris\n\nUnderstood as: the capital of France"
    )
    assert answer.model == model
    assert answer.usage.prompt_tokens == 7
    assert answer.usage.total_tokens == 7 + answer.usage.completion_tokens
    extension = answer.model_extra["trellis"]
    assert extension["evidence"] == [["France", "HAS_CAPITAL", "Paris"]]


async def test_a_stream_is_the_same_answer_in_pieces(client: openai.AsyncOpenAI) -> None:
    whole = await complete(client, QUESTION)
    stream = await complete(client, QUESTION, stream=True, stream_options={"include_usage": True})
    chunks = [chunk async for chunk in stream]
    text = "".join(c.choices[0].delta.content or "" for c in chunks if c.choices)
    assert text == whole.choices[0].message.content
    assert chunks[0].choices[0].delta.role == "assistant"
    assert chunks[-2].choices[0].finish_reason == "stop"
    assert chunks[-2].model_extra["trellis"]["answers"][0]["name"] == "Paris"
    assert chunks[-1].usage == whole.usage
    assert len({chunk.id for chunk in chunks}) == 1


@pytest.mark.slow
async def test_messages_are_what_a_question_refers_to(client: openai.AsyncOpenAI) -> None:
    first = await complete(client, QUESTION)
    told = {"role": "assistant", "content": first.choices[0].message.content}
    follow = {"role": "user", "content": [{"type": "text", "text": "And of Germany?"}]}
    system = {"role": "system", "content": "You are helpful."}
    answer = await complete(client, system, QUESTION, told, follow)
    assert answer.choices[0].message.content.startswith("Berlin [1]")
    assert "Asked as: What is the capital of Germany?" in answer.choices[0].message.content
    vague = {"role": "user", "content": "Who visited it?"}
    unclear = await complete(client, QUESTION, told, vague)
    assert unclear.choices[0].message.content == (
        "No answer: “it” may mean France or Paris; name what you mean."
    )


TASKS = [
    (
        "### Task:\nGenerate a concise, 3-5 word title.\n### Output:\nJSON format: "
        '{ "title": "your title" }\n### Chat History:\n<chat_history>\nUSER: What is the capital '
        "of France?\nASSISTANT: Paris\n</chat_history>",
        {"title": "What is the capital of France?"},
    ),
    (
        "### Task:\nGenerate 1-3 broad tags.\n### Output:\nJSON format: "
        '{ "tags": ["tag1"] }\n<chat_history>\nUSER: Hi\n</chat_history>',
        {"tags": []},
    ),
    ('### Task:\nSuggest 3-5 follow-ups.\nJSON format: { "follow_ups": [] }', {"follow_ups": []}),
    ('### Task:\nGenerate queries: { "queries": ["a"] }', {"queries": []}),
]


@pytest.mark.slow
@pytest.mark.parametrize(("prompt", "expected"), TASKS)
async def test_prompts_of_interfaces_do_not_reach_the_graph(
    client: openai.AsyncOpenAI, graph: MemoryGraph, prompt: str, expected: dict[str, object]
) -> None:
    graph.fails = GraphUnavailableError("gone")
    answer = await complete(client, {"role": "user", "content": prompt})
    assert json.loads(answer.choices[0].message.content) == expected
    assert "trellis" not in answer.model_extra


async def test_other_tasks_are_refused_and_documents_are_skipped(
    client: openai.AsyncOpenAI,
) -> None:
    drawing = {"role": "user", "content": "### Task:\nWrite a prompt for a picture."}
    answer = await complete(client, drawing)
    assert "does no other task" in answer.choices[0].message.content
    documents = "### Task:\nRespond to the user query.\n<context>\nx\n</context>\n\n"
    answer = await complete(client, {"role": "user", "content": documents + QUESTION["content"]})
    assert answer.choices[0].message.content.startswith("Paris [1]")


@pytest.mark.parametrize(
    ("messages", "more", "error", "said"),
    [
        ([QUESTION], {"model": "gpt-5"}, openai.NotFoundError, "there is no model 'gpt-5'"),
        ([QUESTION], {"model": "gcr"}, openai.NotFoundError, "see /v1/models"),
        ([QUESTION], {"n": 3}, openai.BadRequestError, "n must be 1"),
        ([], {}, openai.BadRequestError, "messages must not be empty"),
        ([{"role": "user", "content": " "}], {}, openai.BadRequestError, "the question is empty"),
        ([{"role": "user", "content": "a\0"}], {}, openai.BadRequestError, r"U\+0000"),
        ([{"role": "user", "content": "x" * 3_000}], {}, openai.BadRequestError, "2,000"),
        ([{"role": "assistant", "content": "Hi"}], {}, openai.BadRequestError, "not the user's"),
        ([{"role": "king", "content": "Hi"}], {}, openai.BadRequestError, "0.role must be"),
        ([{**QUESTION, "content": [{"type": "image_url"}]}], {}, openai.BadRequestError, "empty"),
    ],
)
async def test_errors_have_openais_shape(
    client: openai.AsyncOpenAI, messages: Any, more: Any, error: type[Exception], said: str
) -> None:
    for stream in (False, True):
        with pytest.raises(error, match=said) as caught:
            await complete(client, *messages, stream=stream, **more)
        body = caught.value.body
        assert {"message", "type", "param", "code"} == body.keys()


async def test_a_graph_that_fails_is_told_in_openais_shape(
    client: openai.AsyncOpenAI, graph: MemoryGraph
) -> None:
    graph.fails = GraphUnavailableError("the graph is gone", "start it")
    with pytest.raises(openai.InternalServerError, match="the graph is gone; start it"):
        await complete(client, QUESTION)
    with pytest.raises(openai.APIError, match="the graph is gone"):
        async for _ in await complete(client, QUESTION, stream=True):
            pass
    graph.fails = None
    assert (await complete(client, QUESTION)).choices


async def test_a_body_that_is_no_json_or_too_long_is_refused(url: str) -> None:
    async with httpx.AsyncClient(base_url=url) as http:
        for content, status in ((b"{", 400), (b"x" * 300_000, 413)):
            response = await http.post("/v1/chat/completions", content=content, headers=JSON)
            assert response.status_code == status
            assert response.json()["error"]["type"] == "invalid_request_error"


@pytest.mark.slow
async def test_who_reads_and_writes_slowly_holds_up_nobody(
    url: str, client: openai.AsyncOpenAI
) -> None:
    """One question is answered at once here; a reader that takes nothing has no turn."""
    host, port = url.removeprefix("http://").split(":")
    body = json.dumps({"model": "trellis", "messages": [QUESTION], "stream": True})
    head = f"POST /v1/chat/completions HTTP/1.1\r\nhost: {host}\r\ncontent-type: application/json"
    request = f"{head}\r\ncontent-length: {len(body)}\r\n\r\n{body}".encode()
    not_reading = [await asyncio.open_connection(host, int(port), limit=1) for _ in range(20)]
    for number, (_, writer) in enumerate(not_reading):
        writer.write(request if number % 2 else request[:-1])  # half of them never end their body
    for _, writer in not_reading:
        await writer.drain()
    reader, _ = not_reading[1]
    assert await reader.readexactly(1) == b"H"
    answers = await asyncio.gather(*(complete(client, QUESTION) for _ in range(5)))
    assert all(answer.choices[0].message.content.startswith("Paris") for answer in answers)
    for _, writer in not_reading:
        writer.close()
        await writer.wait_closed()
