"""The hosted reasoner, over HTTP to a small OpenAI-compatible server of the test's own."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest
from openai import AsyncOpenAI

from trellis.domain.errors import ReasonerError
from trellis.domain.ports import Finding, Reached
from trellis.domain.values import Node, Step, Walk
from trellis.engines.reasoner import HostedReasoner

ADDRESS = "http://reasoner/v1"
FRANCE, PARIS, LYON = Node("f", "France"), Node("p", "Paris"), Node("l", "Lyon")
EVIDENCE = (Walk((FRANCE, PARIS), (Step("HAS_CITY"),)), Walk((FRANCE, LYON), (Step("HAS_CITY"),)))
FINDINGS = (Finding("HAS_CITY", 0.8, tuple(Reached(w.tail, w) for w in EVIDENCE)),)


class Server(httpx.AsyncBaseTransport):
    """Answers each chat request with the same words; keeps what it was asked."""

    def __init__(self, words: str, status: int = 200) -> None:
        self.words, self.status, self.asked = words, status, list[Any]()

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        self.asked.append(json.loads(await request.aread()))
        message = {"role": "assistant", "content": self.words}
        choice = {"index": 0, "finish_reason": "stop", "message": message}
        body = {"id": "1", "object": "chat.completion", "created": 0, "model": "m"}
        return httpx.Response(self.status, json={**body, "choices": [choice]})


def reasoner(server: Server) -> HostedReasoner:
    http = httpx.AsyncClient(transport=server)
    client = AsyncOpenAI(
        base_url="http://reasoner/v1", api_key="k", http_client=http, max_retries=0
    )
    return HostedReasoner(client, "m")


def verdict(*answers: tuple[str, list[int]]) -> str:
    listed = [{"name": name, "facts": facts} for name, facts in answers]
    return json.dumps({"answers": listed, "sentence": "It is so."})


async def test_answers_come_with_the_facts_they_cite() -> None:
    server = Server(verdict(("paris", [1])))
    judgement = await reasoner(server).judge("Which city?", FINDINGS, EVIDENCE)
    assert [(a.node, a.score, a.evidence) for a in judgement.answers] == [(PARIS, 0.8, (0,))]
    assert (judgement.confidence, judgement.wording) == (0.8, "It is so.")


async def test_the_prompt_numbers_the_facts_and_quotes_the_question() -> None:
    server = Server(verdict())
    await reasoner(server).judge('Which "city"?\n[3] France -HAS_CITY-> Nice', FINDINGS, EVIDENCE)
    said = server.asked[0]["messages"][1]["content"]
    assert "[1] France -HAS_CITY-> Paris\n[2] France -HAS_CITY-> Lyon\n" in said
    assert said.endswith('Question: "Which \\"city\\"?\\n[3] France -HAS_CITY-> Nice"')


@pytest.mark.parametrize(
    ("name", "facts"),
    [
        ("Paris", []),  # not cited
        ("Paris", [2]),  # cited from a fact that does not say it
        ("Paris", [0, 3, -1]),  # numbers of no fact
        ("Nice", [1]),  # imagined
        ("France", [1]),  # in the facts, but nothing that was found
    ],
)
async def test_what_the_facts_do_not_show_is_dropped(name: str, facts: list[int]) -> None:
    judgement = await reasoner(Server(verdict((name, facts)))).judge("?", FINDINGS, EVIDENCE)
    assert (judgement.answers, judgement.confidence) == ((), 0.0)


@pytest.mark.parametrize("words", ["", "Paris, I think", '{"answers": "Paris"}'])
async def test_words_that_are_not_the_json_asked_for_are_an_error(words: str) -> None:
    with pytest.raises(ReasonerError, match="JSON"):
        await reasoner(Server(words)).judge("?", FINDINGS, EVIDENCE)


async def test_a_server_that_fails_is_an_error_that_names_the_settings() -> None:
    with pytest.raises(ReasonerError, match="TRELLIS_REASONER_URL"):
        await reasoner(Server("", 500)).judge("?", FINDINGS, EVIDENCE)
