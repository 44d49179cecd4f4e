"""What the service answers to those who ask it well."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx
import pytest

from memory_app import MemoryGraph, WordModel, served
from trellis.domain.models.card import Calibration
from trellis.graph.neighbourhoods.trie_cache import TrieFigures
from trellis.wire.bodies import ReplyBody
from unit.api.asking import ASKED, EVENTS, ask


async def test_an_answer_carries_the_facts_it_stands_on(client: httpx.AsyncClient) -> None:
    body = await ask(client)
    assert [answer["name"] for answer in body["answers"]] == ["Paris"]
    assert body["evidence"] == [["France", "HAS_CAPITAL", "Paris"]]
    assert body["paths"] == ["France -HAS_CAPITAL-> Paris"]
    assert body["sentences"] == ["France has capital Paris."]
    assert body["reading"] == body["candidates"][0]["reading"] == "the capital of France"
    assert "verdict" not in body
    france, paris = body["subgraph"]["nodes"]
    assert (france["name"], paris["name"]) == ("France", "Paris")
    assert paris["id"] == body["answers"][0]["id"]
    assert body["subgraph"]["edges"] == [
        {"source": france["id"], "target": paris["id"], "type": "HAS_CAPITAL", "fact": 0}
    ]
    assert "count" not in body
    assert "nearest" not in body
    assert (body["method"], body["abstained"]) == ("gcr", False)
    assert body["answers"][0]["paths"] == [0]
    assert 0.9 < body["confidence"] <= 1
    assert [step["name"] for step in body["steps"]] == [
        *("link", "retrieve", "decode", "weigh", "ground", "reason", "verify")
    ]


@pytest.mark.slow
async def test_a_fact_is_never_told_backwards(client: httpx.AsyncClient) -> None:
    body = await ask(client, "Which country has the capital Berlin?")
    assert body["paths"] == ["Berlin <-HAS_CAPITAL- Germany"]
    assert body["evidence"] == [["Germany", "HAS_CAPITAL", "Berlin"]]


async def test_topics_replace_linking_and_limit_cuts(client: httpx.AsyncClient) -> None:
    body = await ask(client, "Who speaks it?", topics=["French"], limit=1)
    assert len(body["answers"]) == 1
    assert len(body["evidence"]) == 1


async def test_what_names_nothing_is_not_in_this_graph(client: httpx.AsyncClient) -> None:
    body = await ask(client, "Как зовут столицу Атлантиды?")
    assert (body["answers"], body["abstained"], body["evidence"]) == ([], True, [])
    assert body["notes"]
    assert body["nearest"] == {"linked": [], "answers": []}
    assert body["reading"] == ""


async def test_answers_that_were_kept_before_there_were_readings_still_load(
    client: httpx.AsyncClient,
) -> None:
    body = await ask(client)
    del body["reading"]
    for candidate in body["candidates"]:
        candidate.pop("reading", None)
    assert ReplyBody.model_validate(body).reading == ""


class UnsureModel(WordModel):
    """Calibrated to be sure of nothing."""

    card = WordModel.card.with_calibration(
        "gcr", Calibration(weights={"bias": 0.0}, abstain_below=1.0)
    )


async def test_where_it_is_not_sure_enough_it_tells_what_came_nearest(
    tmp_path: Path, graph: MemoryGraph
) -> None:
    async with served(tmp_path, graph, UnsureModel) as client:
        body = await ask(client)
    assert (body["answers"], body["evidence"], body["abstained"]) == ([], [], True)
    assert body["confidence"] == 0.5
    assert [link["name"] for link in body["nearest"]["linked"]] == ["France"]
    assert body["nearest"]["answers"][0]["name"] == "Paris"
    assert body["nearest"]["answers"][0]["score"] > 0.9


async def test_a_number_is_given_beside_what_was_counted(client: httpx.AsyncClient) -> None:
    body = await ask(client, "How many speak French?")
    assert (body["count"], len(body["answers"])) == (2, 2)
    assert sorted(body["sentences"]) == ["Canada speaks French.", "France speaks French."]


async def test_answers_are_kept_and_listed(client: httpx.AsyncClient) -> None:
    first = await ask(client)
    second = await ask(client, "What is the capital of Germany?")
    listed = (await client.get("/v1/answers", params={"limit": 1})).json()
    assert [row["id"] for row in listed["answers"]] == [second["id"]]
    rest = (await client.get("/v1/answers", params={"before": listed["next"]})).json()
    assert [(row["id"], row["answers"]) for row in rest["answers"]] == [(first["id"], ["Paris"])]
    assert (await client.get(f"/v1/answers/{first['id']}")).json() == first


async def test_an_answer_says_when_it_was_asked(client: httpx.AsyncClient) -> None:
    body = await ask(client)
    asked_at = datetime.fromisoformat(body["asked_at"])
    assert timedelta(0) < datetime.now(UTC) - asked_at < timedelta(minutes=1)
    [listed] = (await client.get("/v1/answers")).json()["answers"]
    assert datetime.fromisoformat(listed["asked_at"]) == asked_at
    claim = {"claim": "The capital of France is Paris."}
    assert (await client.post("/v1/claims", json=claim)).json()["asked_at"] > body["asked_at"]


async def test_kept_answers_are_searched_by_words_and_by_conversation(
    client: httpx.AsyncClient,
) -> None:
    await ask(client, conversation="mine")
    await ask(client, "What is the capital of Germany?")

    async def search(**query: str) -> list[str]:
        found = (await client.get("/v1/answers", params=query)).json()["answers"]
        return [row["question"].split()[-1] for row in found]

    assert await search(query="CAPITAL what") == ["Germany?", "France?"]
    assert await search(query="france") == ["France?"]
    assert await search(query="%") == []
    assert await search(conversation="mine") == ["France?"]
    assert await search(conversation="mine", query="Germany") == []


async def test_an_answer_is_deleted_with_its_feedback(client: httpx.AsyncClient) -> None:
    first = await ask(client)
    second = await ask(client, "What is the capital of Germany?")
    await client.post(f"/v1/answers/{first['id']}/feedback", json={"right": True})
    gone = f"/v1/answers/{first['id']}"
    deleted = await client.delete(gone)
    assert (deleted.status_code, deleted.content) == (204, b"")
    for response in (await client.get(gone), await client.delete(gone)):
        assert response.status_code == 404
        assert response.json()["type"] == "urn:trellis:problem:not-kept"
    left = (await client.get("/v1/answers")).json()["answers"]
    assert [row["id"] for row in left] == [second["id"]]
    assert (await client.delete("/v1/answers")).status_code == 204
    assert (await client.get("/v1/answers")).json()["answers"] == []
    assert (await client.delete("/v1/answers")).status_code == 204


async def test_a_conversation_that_is_deleted_is_referred_to_no_more(
    client: httpx.AsyncClient,
) -> None:
    await ask(client, conversation="mine")
    kept = await ask(client)
    assert (await client.delete("/v1/conversations/mine")).status_code == 204
    left = (await client.get("/v1/answers")).json()["answers"]
    assert [row["id"] for row in left] == [kept["id"]]
    assert "asked" not in await ask(client, "And of Germany?", conversation="mine")
    assert (await client.delete("/v1/conversations/other")).status_code == 404
    assert (await client.delete("/v1/conversations/no%20id")).status_code == 422


async def test_a_question_as_a_stream_of_events(client: httpx.AsyncClient) -> None:
    response = await client.post("/v1/questions", json=ASKED, headers=EVENTS)
    assert response.headers["content-type"].startswith("text/event-stream")
    events = re.findall(r"event: (\w+)\r\ndata: (.*)\r\n", response.text)
    assert [name for name, _ in events] == [
        *("links", "candidates", "evidence", "opinion", "answer", "done")
    ]
    told = {name: json.loads(data) for name, data in events}
    assert told["links"]["links"][0]["text"] == "France"
    assert "France -HAS_CAPITAL-> Paris" in told["evidence"]["evidence"]
    assert told["answer"]["answers"][0]["name"] == "Paris"
    kept = await client.get(f"/v1/answers/{told['answer']['id']}")
    assert kept.json() == told["answer"]


async def test_links(client: httpx.AsyncClient) -> None:
    response = await client.post("/v1/links", json={"question": "Does France border Germany?"})
    mentions = response.json()["mentions"]
    assert [mention["text"] for mention in mentions] == ["France", "Germany"]
    assert mentions[0]["links"][0]["name"] == "France"


async def test_names_complete_what_is_typed(client: httpx.AsyncClient) -> None:
    told = (await client.get("/v1/names", params={"start": "fr"})).json()
    assert [node["name"] for node in told["names"]] == ["France", "French"]
    one = await client.get("/v1/names", params={"start": "FR", "limit": 1})
    assert [node["name"] for node in one.json()["names"]] == ["France"]
    assert (await client.get("/v1/names", params={"start": "zz"})).json() == {"names": []}
    assert (await client.get("/v1/names", params={"start": "F"})).status_code == 422


async def test_paths_are_retrieved_shortest_first_up_to_a_limit(client: httpx.AsyncClient) -> None:
    body = {"question": "Paris?", "hops": 2}
    found = (await client.post("/v1/retrieve/paths", json=body)).json()
    texts = [path["text"] for path in found["paths"]]
    assert texts[0] == "Paris <-HAS_CAPITAL- France"
    assert set(texts[1:]) == {
        "Paris <-HAS_CAPITAL- France -BORDERS-> Germany",
        "Paris <-HAS_CAPITAL- France -SPEAKS-> French",
    }
    assert not found["cut"]
    some = (await client.post("/v1/retrieve/paths", json={**body, "limit": 2})).json()
    assert (len(some["paths"]), some["cut"]) == (2, True)


async def test_schema_and_methods(client: httpx.AsyncClient) -> None:
    schema = (await client.get("/v1/schema")).json()
    assert {it["type"] for it in schema["relationships"]} == {"HAS_CAPITAL", "BORDERS", "SPEAKS"}
    methods = (await client.get("/v1/methods")).json()
    assert [one["name"] for one in methods if one["default"]] == ["auto"]
    names = ["auto", "gcr", "graphraft", "dog", "simgrag", "stem"]
    assert [one["name"] for one in methods] == names


async def test_it_is_alive_and_ready_and_counts(client: httpx.AsyncClient) -> None:
    assert (await client.get("/livez")).json() == {"alive": True}
    assert (await client.get("/readyz")).json() == {"ready": True}
    await ask(client)
    await client.post("/v1/questions", json={"question": "?", "method": "gcr"})
    text = (await client.get("/metrics")).text
    assert 'trellis_questions_total{method="gcr",outcome="answered"} 1.0' in text
    assert 'trellis_step_seconds_count{method="gcr",step="decode"} 1.0' in text


async def test_a_graph_that_is_read_slowly_is_told_of(tmp_path: Path, graph: MemoryGraph) -> None:
    async def notes() -> tuple[str, ...]:
        return ("the graph was read in plain Cypher",)

    async with served(tmp_path, graph, parts={"graph_notes": notes}) as client:
        ready = (await client.get("/readyz")).json()
        answer = await ask(client)
    assert ready == {"ready": True, "notes": [*(await notes())]}
    assert "the graph was read in plain Cypher" in answer["notes"]


async def test_it_counts_where_tries_came_from(tmp_path: Path, graph: MemoryGraph) -> None:
    figures = TrieFigures(hits=5, from_files=2, from_graph=3, invalidated=1, entries=4, bytes=2_048)
    async with served(tmp_path, graph, parts={"trie_figures": lambda: figures}) as client:
        shown = (await client.get("/metrics")).text.splitlines()
    assert [line for line in shown if line.startswith("trellis_tries")] == [
        'trellis_tries_total{source="memory"} 5.0',
        'trellis_tries_total{source="file"} 2.0',
        'trellis_tries_total{source="graph"} 3.0',
        "trellis_tries_invalidated_total 1.0",
        "trellis_tries_kept 4.0",
        "trellis_tries_bytes 2048.0",
    ]


async def test_swagger_needs_nothing_from_elsewhere(client: httpx.AsyncClient) -> None:
    page = (await client.get("/docs")).text
    addresses = re.findall(r'(?:src|href)="([^"]+)"', page)
    assert addresses
    for address in addresses:
        assert address.startswith("/"), address
        assert (await client.get(address)).status_code == 200
    assert 'href="docs"' in (await client.get("/")).text
