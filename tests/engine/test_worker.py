"""The worker on real vLLM: what it decodes, and what a client of either kind sees."""

from __future__ import annotations

import asyncio
import base64
import re
import subprocess
import time
from collections.abc import AsyncIterator, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import httpx
import openai
import pytest

from real_worker import RunningWorker
from trellis.automata.codec import encode_language, language_hash
from trellis.automata.paths.walks import Walks
from trellis.automata.reader import Reader, SentenceReading
from trellis.cli.operation.worker import find_python
from trellis.decoding.hypotheses import normalise_score
from trellis.domain.models.decoding import Search, Sentence
from trellis.engines.local import LocalModel
from trellis.engines.workers.worker import WorkerModel
from unit.decoding.workers import asking
from walked import kg_trie, prompt
from worker_contract import WorkerContract

PROMPT = prompt(1)
QUESTION = PROMPT.render()
SEARCHES = {
    "beam": Search(width=10),
    "narrow": Search(width=2),
    "diverse": Search(width=6, diversity=1.0, groups=3),
    "cool": Search(width=5, temperature=0.5, length_penalty=1.0),
    "greedy": Search(mode="greedy", width=1),
    "greedy, cool": Search(mode="greedy", width=1, temperature=0.5),
    "without replacement": Search(mode="stochastic_beam", width=5, seed=3),
}


@pytest.fixture(scope="module")
def local(worker: RunningWorker, tmp_path_factory: pytest.TempPathFactory) -> LocalModel:
    return LocalModel.load(worker.folder, "cpu", tmp_path_factory.mktemp("cache"))


@pytest.fixture
async def http(worker: RunningWorker) -> AsyncIterator[httpx.AsyncClient]:
    async with httpx.AsyncClient(base_url=worker.url, timeout=600) as client:
        yield client


@pytest.fixture
def client(worker: RunningWorker) -> Iterator[openai.OpenAI]:
    with openai.OpenAI(base_url=f"{worker.url}/v1", api_key="none") as opened:
        yield opened


def encoded(language: Walks) -> str:
    return base64.b64encode(encode_language(language)).decode()


def body(language: Walks, search: Search = SEARCHES["beam"], **more: Any) -> dict[str, Any]:
    fields = {name: getattr(search, name) for name in Search.__slots__}
    asked = {"question": QUESTION}
    return {"prompt": asked, "language": {"data": encoded(language)}, "search": fields, **more}


def tokens_of(answer: httpx.Response) -> list[list[int]]:
    """What was said: scores may be rounded otherwise in another batch."""
    return [sentence["tokens"] for sentence in answer.json()["sentences"]]


def inside(language: Walks, text: str) -> bool:
    found = Reader(language).read_text(f" {text.strip()}")
    return isinstance(found, SentenceReading)


@pytest.mark.parametrize("search", SEARCHES.values(), ids=SEARCHES)
@pytest.mark.parametrize("rendering", ["relations", "full"])
async def test_it_finds_what_the_local_engine_finds(
    http: httpx.AsyncClient, local: LocalModel, rendering: Any, search: Search
) -> None:
    for seed in range(3):
        language = kg_trie(seed, rendering=rendering)
        [mine] = local.decode_now([PROMPT], [language], search)
        answer = await http.post("/v1/decode", json=body(language, search))
        assert answer.status_code == 200, answer.text
        theirs = answer.json()["sentences"]
        same_sentences(mine, theirs, search)


def same_sentences(mine: list[Sentence], theirs: list[dict[str, Any]], search: Search) -> None:
    """Equal sets, scores and choices; equal order where scores are not close."""
    told = {tuple(one["tokens"]): one for one in theirs}
    assert told.keys() == {one.tokens for one in mine}
    for one in mine:
        there = told[one.tokens]
        assert (there["text"], there["choices"]) == (one.text, one.choices)
        assert there["score"] == pytest.approx(one.score, abs=1e-3)
        assert one.support is not None
        assert there["support"]["total"] == pytest.approx(one.support.total, abs=1e-3)
        assert there["support"]["least"] == pytest.approx(one.support.least, abs=1e-3)
    ranks = [normalise_score(one["score"], one["choices"], search) for one in theirs]
    assert all(a >= b - 1e-3 for a, b in pairwise(ranks))


async def test_samples_are_different_sentences_of_the_language(http: httpx.AsyncClient) -> None:
    language = kg_trie(4, hops=3)
    search = Search(mode="sample", width=12, temperature=2.0, seed=5)
    first, again = [
        (await http.post("/v1/decode", json=body(language, search))).json()["sentences"]
        for _ in range(2)
    ]
    texts = [one["text"] for one in first]
    assert len(set(texts)) == len(texts) > 1
    assert all(inside(language, text) for text in texts)
    assert texts == [one["text"] for one in again]


async def test_a_language_goes_by_reference_the_second_time(http: httpx.AsyncClient) -> None:
    language = kg_trie(5)
    name = language_hash(encode_language(language))
    by_value = await http.post("/v1/decode", json=body(language))
    assert by_value.json()["language"] == name
    by_reference = await http.post("/v1/decode", json=body(language) | {"language": {"hash": name}})
    assert tokens_of(by_reference) == tokens_of(by_value)


async def test_sentences_stream_as_they_end(http: httpx.AsyncClient) -> None:
    asked = body(kg_trie(6), stream=True)
    async with http.stream("POST", "/v1/decode", json=asked) as answer:
        assert answer.headers["content-type"].startswith("text/event-stream")
        events = [line[7:] async for line in answer.aiter_lines() if line.startswith("event: ")]
    assert events[-1] == "decoded"
    assert set(events[:-1]) == {"sentence"}


REFUSED: dict[str, tuple[dict[str, Any], int, str]] = {
    "no language of that name": ({"language": {"hash": "0" * 32}}, 404, "unknown-language"),
    "no language": ({"language": {"data": base64.b64encode(b"x" * 90).decode()}}, 422, "codec"),
    "an empty language": ({"language": {"data": ""}}, 422, "codec"),
    "both": ({"language": {"data": "", "hash": "0" * 32}}, 422, "input"),
    "another vocabulary": ({"vocabulary": "f" * 16}, 409, "vocabulary-mismatch"),
    "an unknown mode": ({"search": {"mode": "best"}}, 422, "input"),
    "a search without a meaning": ({"search": {"width": 0}}, 422, "input"),
    "too small a budget": ({"search": {"max_tokens": 1}}, 422, "input"),
    "token ids that are none": ({"prompt": [10**9]}, 422, "input"),
    "no prompt": ({"prompt": []}, 422, "input"),
    "a template without its mark": (
        {"prompt": {"template": "Path:", "question": "?"}},
        422,
        "input",
    ),
    "a prompt that the model cannot read": ({"prompt": [5] * 5_000}, 422, "input"),
    "a deadline that has passed": ({"timeout": 1e-6}, 504, "decoder-timeout"),
    "an endless body": ({"prompt": {"question": "x" * 20_000_000}}, 413, "too-large"),
}


@pytest.mark.parametrize(("change", "status", "kind"), REFUSED.values(), ids=REFUSED)
async def test_bad_requests_are_refused_with_a_reason(
    http: httpx.AsyncClient, change: dict[str, Any], status: int, kind: str
) -> None:
    answer = await http.post("/v1/decode", json=body(kg_trie(7)) | change)
    told = answer.json()
    assert (answer.status_code, told["type"]) == (status, f"urn:trellis:problem:{kind}")
    assert answer.headers["content-type"] == "application/problem+json"
    assert told["detail"]


async def test_a_question_cannot_smuggle_special_tokens_in(
    http: httpx.AsyncClient, local: LocalModel
) -> None:
    question = "<|endoftext|></s>[UNK] ENT1"
    asked = body(kg_trie(8)) | {"prompt": {"template": "Q: {question} A:", "question": question}}
    answer = await http.post("/v1/decode", json=asked)
    tokens = [*local.vocabulary.encode("Q: "), *local.vocabulary.encode(question)]
    by_ids = asked | {"prompt": [*tokens, *local.vocabulary.encode(" A:")]}
    assert tokens_of(answer) == tokens_of(await http.post("/v1/decode", json=by_ids))
    assert not set(tokens) & local.vocabulary.ends


def test_an_openai_client_finds_vllm_as_it_is(client: openai.OpenAI) -> None:
    [model] = client.models.list().data
    said = client.completions.create(model=model.id, prompt=QUESTION, max_tokens=8, temperature=0)
    again = client.completions.create(model=model.id, prompt=QUESTION, max_tokens=8, temperature=0)
    assert said.choices[0].text == again.choices[0].text
    assert said.usage
    assert said.usage.prompt_tokens > 0


def test_an_openai_client_can_lead_the_model_too(client: openai.OpenAI) -> None:
    language = kg_trie(9, hops=3)
    [model] = client.models.list().data
    said = client.completions.create(
        model=model.id,
        prompt=QUESTION,
        max_tokens=64,
        n=16,
        temperature=1.5,
        extra_body={"vllm_xargs": {"trellis_language": encoded(language), "trellis_budget": 40}},
    )
    texts = {choice.text for choice in said.choices}
    assert len(texts) > 1
    assert all(inside(language, text) for text in texts)
    assert {choice.finish_reason for choice in said.choices} == {"stop"}


@pytest.mark.parametrize(
    "arguments",
    [
        {"trellis_language": "%%%"},
        {"trellis_language": base64.b64encode(b"nothing").decode()},
        {"trellis_temperature": 1.0},
        {"trellis_mask": "AAAA"},
        {"trellis_language": "", "trellis_budget": 0},
    ],
)
def test_arguments_that_lead_nothing_are_a_bad_request(
    client: openai.OpenAI, arguments: dict[str, Any]
) -> None:
    [model] = client.models.list().data
    with pytest.raises(openai.BadRequestError):
        client.completions.create(model=model.id, prompt="x", extra_body={"vllm_xargs": arguments})


async def test_free_requests_are_not_touched_by_those_that_are_led(
    http: httpx.AsyncClient,
) -> None:
    """64 of each at once, joining and leaving as they like."""
    model = (await http.get("/v1/models")).json()["data"][0]["id"]

    async def free(number: int) -> str:
        asked = {"model": model, "prompt": prompt(number).render(), "max_tokens": 6 + number % 7}
        answer = await http.post("/v1/completions", json=asked | {"temperature": 0})
        return str(answer.json()["choices"][0]["text"])

    async def led(number: int) -> None:
        language = kg_trie(number, hops=3, rendering="full" if number % 2 else "relations")
        arguments = {"trellis_language": encoded(language), "trellis_budget": 60}
        asked = {"model": model, "prompt": prompt(number).render(), "max_tokens": 61}
        led_by = {"seed": number, "vllm_xargs": arguments}
        answer = await http.post("/v1/completions", json=asked | led_by)
        assert inside(language, answer.json()["choices"][0]["text"]), answer.text

    alone = [await free(number) for number in range(16)]
    tasks = [work(number) for number in range(64) for work in (led, free)]
    done = await asyncio.gather(*tasks)
    assert done[1:32:2] == alone


async def test_a_decode_ends_when_nobody_waits_for_it(worker: RunningWorker) -> None:
    async with httpx.AsyncClient(base_url=worker.url) as client:
        asked = body(kg_trie(10, hops=3, edges=60), Search(width=64))
        with pytest.raises(httpx.ReadTimeout):
            await client.post("/v1/decode", json=asked, timeout=0.05)
        assert await until(client, 'trellis_decodes_total{end="left",mode="beam"}')
        assert await until(client, "trellis_decodes_running 0.0")


async def until(client: httpx.AsyncClient, line: str, unlike: str = "\0") -> bool:
    """Whether the metrics say `line`, and not `unlike`, before a test that hangs is ended."""
    ends = time.monotonic() + 600
    while line not in (said := await metrics(client)) or f"\n{unlike}" in said:
        if time.monotonic() > ends:
            return False
    return True


async def metrics(client: httpx.AsyncClient) -> str:
    return (await client.get("/metrics", timeout=600)).text


async def test_its_metrics_are_vllms_and_ours(http: httpx.AsyncClient) -> None:
    said = await metrics(http)
    assert re.search(r"^vllm:num_requests_running", said, re.MULTILINE)
    assert re.search(r"^trellis_languages_total", said, re.MULTILINE)


async def test_it_says_what_it_serves(http: httpx.AsyncClient, local: LocalModel) -> None:
    served = (await http.get("/v1/decoder")).json()
    assert served["vocabulary"] == local.vocabulary.fingerprint
    assert served["card"]["tasks"] == local.card.tasks
    assert (await http.get("/readyz")).json() == {"status": "ready"}


def test_the_shells_hold_their_interfaces() -> None:
    """Run where vLLM is: both shells over the shared core, on tensors of this machine."""
    here = Path(__file__).parent
    bare = ("-q", "-p", "no:cacheprovider", "--noconftest", "-c", "/dev/null")
    command = [str(find_python()), "-m", "pytest", *bare, str(here / "shells.py")]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=here)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]


@pytest.fixture
async def model(worker: RunningWorker) -> AsyncIterator[WorkerModel]:
    async with asking(worker.url) as opened:
        yield opened


class TestARealWorker(WorkerContract):
    """The client engine: what holds of any worker holds of vLLM's on this machine."""
