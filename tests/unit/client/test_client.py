"""The Python client, asking a real service over ASGI or a real socket."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing
from pathlib import Path

import httpx
import pytest

from memory_app import HeldModel, MemoryGraph, app_of, listening, open_typed_client
from trellis import Client
from trellis.domain.errors import (
    BusyError,
    GraphUnavailableError,
    InputError,
    NotKeptError,
    NotReadyError,
    OutOfTimeError,
    QuestionError,
    TrellisError,
    UnknownMethodError,
    UnreachableError,
)
from trellis.wire.asked import BudgetBody
from trellis.wire.patterns import PatternBody, PatternRequest
from trellis.wire.traces import AnchorScoresBody, TraceCandidatesBody, TraceRequest

QUESTION = "What is the capital of France?"


@pytest.fixture
def graph() -> MemoryGraph:
    return MemoryGraph()


@pytest.fixture
async def client(tmp_path: Path, graph: MemoryGraph) -> AsyncIterator[Client]:
    async with open_typed_client(app_of(tmp_path, graph)) as opened:
        yield opened


async def test_an_answer_is_typed_and_kept(client: Client) -> None:
    answer = await client.ask(QUESTION)
    assert [one.name for one in answer.answers] == ["Paris"]
    assert answer.evidence == [("France", "HAS_CAPITAL", "Paris")]
    assert await client.answer(answer.id) == await client.answer() == answer
    page = await client.list_answers(limit=1)
    assert (page.answers[0].id, page.answers[0].asked_at.utcoffset() is None) == (answer.id, False)


async def test_kept_answers_are_searched_and_deleted(client: Client) -> None:
    first = await client.ask(QUESTION, conversation="talk")
    for _ in range(2):
        last = await client.ask(QUESTION)
    assert (await client.list_answers(query="no such word")).answers == []
    [talked] = (await client.list_answers(query="capital", conversation="talk")).answers
    assert (talked.id, talked.conversation) == (first.id, "talk")
    await client.delete_conversation("talk")
    await client.delete_answer(last.id)
    assert len((await client.list_answers()).answers) == 1
    await client.delete_answers()
    assert (await client.list_answers()).answers == []
    for delete in (client.delete_conversation("talk"), client.delete_answer(last.id)):
        with pytest.raises(NotKeptError):
            await delete


async def test_topics_limit_and_budget_go_along(client: Client) -> None:
    answer = await client.ask("Who speaks it?", method="gcr", topics=["French"], limit=1)
    assert len(answer.answers) == 1
    small = await client.ask("Who speaks it?", topics=["French"], budget=BudgetBody(rows=1))
    assert len(small.answers) == 1


async def test_a_stream_ends_in_the_answer(client: Client) -> None:
    told = [event async for event in client.stream(QUESTION)]
    assert [event.name for event in told] == [
        *("links", "candidates", "evidence", "opinion", "answer")
    ]
    assert told[0].links[0].text == "France"
    assert told[1].candidates[0].answers == 1
    assert "France -HAS_CAPITAL-> Paris" in told[2].evidence
    assert told[4].answer == await client.answer()


async def test_what_else_the_service_knows(client: Client) -> None:
    assert [mention.text for mention in await client.link_names("Is France beside Germany?")] == [
        "France",
        "Germany",
    ]
    pattern = PatternRequest(pattern=PatternBody(nodes=2, edges=[(0, 1)]), k=2)
    found = await client.search_patterns(pattern)
    assert (len(found.matches), found.complete) == (2, True)
    anchors = TraceCandidatesBody(nodes=[AnchorScoresBody(names=["France"], scores=[1.0]), None])
    traced = await client.search_traces(
        TraceRequest(schema_graph=PatternBody(nodes=2, edges=[(0, 1)]), candidates=anchors)
    )
    assert (len(traced.traces), traced.complete) == (1, True)
    assert (await client.find_paths("Paris?", hops=1)).paths[
        0
    ].text == "Paris <-HAS_CAPITAL- France"
    assert (await client.read_schema()).labels[0].label == "Thing"
    assert [one.name for one in await client.list_methods() if one.default] == ["auto"]
    assert await client.check_health()


async def test_feedback_is_kept_beside_its_answer(client: Client) -> None:
    answer = await client.ask(QUESTION)
    noted = await client.send_feedback(answer.id, False, expected=["Lyon"], comment="no")
    assert noted.id == answer.id
    with pytest.raises(NotKeptError):
        await client.send_feedback("none of them", True)


@pytest.mark.parametrize(
    ("ask", "kind", "said"),
    [
        (lambda c: c.ask(""), QuestionError, "empty"),
        (lambda c: c.ask("a" * 3_000), QuestionError, "2,000"),
        (lambda c: c.ask("\udcff"), QuestionError, "not text"),
        (lambda c: c.ask(QUESTION, method="guess"), UnknownMethodError, "gcr"),
        (lambda c: c.ask(QUESTION, limit=0), InputError, "limit"),
        (lambda c: c.answer("none"), NotKeptError, "no answer"),
        (lambda c: c.list_answers(limit=1_000), InputError, "limit"),
    ],
)
async def test_an_error_is_the_one_that_the_service_raised(
    client: Client, ask: Callable[[Client], object], kind: type[TrellisError], said: str
) -> None:
    with pytest.raises(kind, match=said):
        await ask(client)


async def test_a_graph_that_is_gone_is_told_in_an_answer_and_in_a_stream(
    client: Client, graph: MemoryGraph
) -> None:
    graph.fails = GraphUnavailableError("Neo4j is not there", "start it")
    with pytest.raises(GraphUnavailableError, match="start it") as raised:
        await client.ask(QUESTION)
    assert raised.value.__notes__[0].startswith("request ")
    with pytest.raises(GraphUnavailableError, match="start it"):
        _ = [event async for event in client.stream(QUESTION)]
    with pytest.raises(NotReadyError, match="graph"):
        await client.check_health()


def answering(*responses: httpx.Response) -> tuple[httpx.MockTransport, list[httpx.Request]]:
    """A transport that answers so in turn, and what it was sent."""
    sent: list[httpx.Request] = []

    def handle(request: httpx.Request) -> httpx.Response:
        sent.append(request)
        return responses[len(sent) - 1]

    return httpx.MockTransport(handle), sent


@pytest.mark.parametrize("status", [429, 503])
async def test_it_asks_again_where_the_service_is_busy_or_not_there_yet(status: int) -> None:
    refused = httpx.Response(status, headers={"Retry-After": "0"})
    transport, sent = answering(refused, refused, httpx.Response(200, json={"ready": True}))
    async with Client("http://trellis", transport=transport) as client:
        assert await client.check_health()
    assert len(sent) == 3


@pytest.mark.parametrize("status", [400, 404, 422, 500, 502, 504])
async def test_it_asks_once_where_that_would_not_help(status: int) -> None:
    transport, sent = answering(httpx.Response(status))
    async with Client("http://trellis", transport=transport) as client:
        with pytest.raises(TrellisError, match=str(status)):
            await client.check_health()
    assert len(sent) == 1


async def test_it_gives_up_with_the_service_s_own_words(tmp_path: Path) -> None:
    model = HeldModel()
    app = app_of(tmp_path, MemoryGraph(), lambda: model, concurrency=1, waiting=0)
    async with listening(app) as url, Client(url, attempts=1) as client:
        first = asyncio.create_task(client.ask(QUESTION))
        await model.until(lambda: model.waiting == 1)
        with pytest.raises(BusyError, match="try again"):
            await client.ask(QUESTION)
        model.go.set()
        assert (await first).answers


async def test_a_stream_that_is_closed_ends_its_question(tmp_path: Path) -> None:
    model = HeldModel()
    async with listening(app_of(tmp_path, MemoryGraph(), lambda: model)) as url:
        async with Client(url) as client, aclosing(client.stream(QUESTION)) as told:
            assert (await anext(told)).name == "links"
            await model.until(lambda: model.waiting == 1)
        await model.until(lambda: model.left == 1)


@pytest.mark.slow
async def test_a_service_that_says_nothing_is_given_up_on(tmp_path: Path) -> None:
    model = HeldModel()
    async with listening(app_of(tmp_path, MemoryGraph(), lambda: model)) as url:
        async with Client(url, timeout=0.3) as client:
            while not model.left:  # a slow machine may give up before the model is asked
                with pytest.raises(OutOfTimeError, match=r"0\.3 s"):
                    await client.ask(QUESTION)
        await model.until(lambda: model.waiting == 0)


@pytest.mark.parametrize("url", ["http://127.0.0.1:9", "nonsense", "http://[::", "ftp://x"])
async def test_an_address_where_nothing_answers(url: str) -> None:
    with pytest.raises(UnreachableError, match="trellis serve"):
        async with Client(url) as client:
            await client.ask(QUESTION)


async def test_what_is_no_trellis_is_told_apart() -> None:
    transport, _ = answering(httpx.Response(200, text="<html>"), httpx.Response(200, text="event"))
    async with Client("http://trellis", transport=transport) as client:
        with pytest.raises(UnreachableError, match="no Trellis"):
            await client.ask(QUESTION)
        with pytest.raises(UnreachableError, match="broke off"):
            _ = [event async for event in client.stream(QUESTION)]


def test_importing_the_client_loads_nothing_heavy() -> None:
    heavy = ("torch", "fastapi", "neo4j", "sqlalchemy", "transformers", "openai")
    code = f"import sys; from trellis import Client; print(set({heavy}) & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
