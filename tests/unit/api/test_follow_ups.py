"""Follow-up questions, as those who ask the service see them."""

from __future__ import annotations

import json

import httpx
import pytest

from unit.api.asking import EVENTS, JSON, QUESTION, ask, check_problem

CAPITAL = {"question": QUESTION, "answers": ["Paris"]}


async def test_a_follow_up_is_asked_as_a_whole_question(client: httpx.AsyncClient) -> None:
    body = await ask(client, "And of Germany?", history=[CAPITAL])
    assert body["question"] == "And of Germany?"
    assert body["asked"] == "What is the capital of Germany?"
    assert [answer["name"] for answer in body["answers"]] == ["Berlin"]
    assert body["reading"] == "the capital of Germany"
    (mention,) = body["mentions"]
    assert body["asked"][mention["start"] : mention["end"]] == "Germany"
    kept = (await client.get(f"/v1/answers/{body['id']}")).json()
    assert kept["asked"] == body["asked"]


async def test_a_question_of_its_own_is_asked_as_it_is(client: httpx.AsyncClient) -> None:
    body = await ask(client, "What is the capital of Germany?", history=[CAPITAL])
    assert "asked" not in body
    assert [answer["name"] for answer in body["answers"]] == ["Berlin"]


async def test_what_a_word_may_mean_is_told_by_what_the_graph_answers(
    client: httpx.AsyncClient,
) -> None:
    body = await ask(client, "Who speaks it?", history=[CAPITAL])
    assert body["asked"] == "Who speaks France?"
    assert "the graph does not answer “Who speaks Paris?”" in body["notes"][0]


async def test_what_is_unclear_is_not_guessed(client: httpx.AsyncClient) -> None:
    body = await ask(client, "Who visited it?", history=[CAPITAL])
    assert (body["abstained"], body["answers"]) == (True, [])
    assert body["held_back"] == "“it” may mean France or Paris; name what you mean"
    assert body["held_back"] in body["notes"]
    assert "asked" not in body


async def test_a_conversation_is_kept_under_its_id(client: httpx.AsyncClient) -> None:
    first = await ask(client, CAPITAL["question"], conversation="one")
    assert first["conversation"] == "one"
    body = await ask(client, "And of Germany?", conversation="one")
    assert body["asked"] == "What is the capital of Germany?"
    other = await ask(client, "And of Germany?", conversation="two")
    assert "asked" not in other


async def test_the_stream_tells_the_whole_question(client: httpx.AsyncClient) -> None:
    asked = {"question": "And of Germany?", "history": [CAPITAL]}
    response = await client.post("/v1/questions", json=asked, headers=EVENTS)
    data = response.text.split("event: answer\r\ndata: ")[1].split("\r\n")[0]
    assert json.loads(data)["asked"] == "What is the capital of Germany?"


async def test_given_topics_are_not_replaced(client: httpx.AsyncClient) -> None:
    body = await ask(client, "Who speaks it?", history=[CAPITAL], topics=["French"])
    assert "asked" not in body
    assert {answer["name"] for answer in body["answers"]} == {"France", "Canada"}


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"history": [CAPITAL] * 51}, "history"),
        ({"history": [{**CAPITAL, "answers": ["x" * 1_500] * 100}]}, "150,030 characters"),
        ({"history": [{"question": "?!"}]}, "the question is empty"),
        ({"history": [{"question": "a\0b"}]}, "U+0000"),
        ({"history": [{"answers": ["Paris"]}]}, "question"),
        ({"history": "What?"}, "history"),
        ({"conversation": "a b"}, "conversation"),
        ({"conversation": "x" * 65}, "conversation"),
        ({"conversation": "\0"}, "conversation"),
    ],
)
async def test_unusable_histories(
    client: httpx.AsyncClient, more: dict[str, object], said: str
) -> None:
    response = await client.post("/v1/questions", json={"question": "And of Germany?", **more})
    assert said in json.dumps(check_problem(response, 422))
    assert len(response.content) < 2_000


async def test_histories_of_a_megabyte_are_refused_one_after_the_other(
    client: httpx.AsyncClient,
) -> None:
    long = json.dumps({"question": "And?", "history": [{"question": "x" * 1_000_000}]}).encode()
    many = json.dumps({"question": "And?", "history": [{"question": "x"}] * 9_000}).encode()
    for content, status in ((long, 413), (many, 422)) * 20:
        response = await client.post("/v1/questions", content=content, headers=JSON)
        assert response.status_code == status
        assert len(response.content) < 2_000
    assert (await ask(client, "And of Germany?", history=[CAPITAL]))["answers"]
