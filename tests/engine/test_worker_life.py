"""A worker's hard times: too little memory, a kill in the middle of work, and its last hour."""

from __future__ import annotations

import asyncio
import signal
from pathlib import Path
from typing import Any

import httpx
import pytest

from engine.test_worker import body, encoded, inside, metrics, until
from real_postgres import find_free_port
from real_worker import RunningWorker, running_worker
from trellis.domain.models.decoding import Search
from walked import kg_trie, prompt

SMALL = (
    *("--num-gpu-blocks-override", "13", "--max-model-len", "192", "--max-num-seqs", "12"),
    *("--async-scheduling", "--enable-chunked-prefill", "--max-num-batched-tokens", "32"),
)

pytestmark = pytest.mark.slow


async def written(client: httpx.AsyncClient, model: str, number: int) -> str:
    """What the model writes greedily inside a language of long sentences."""
    language = kg_trie(number, hops=4, rendering="full", edges=40)
    arguments = {"trellis_language": encoded(language), "trellis_budget": 120}
    asked = {"model": model, "prompt": prompt(number).render(), "max_tokens": 121, "temperature": 0}
    answer = await client.post("/v1/completions", json=asked | {"vllm_xargs": arguments})
    text = str(answer.json()["choices"][0]["text"])
    assert inside(language, text), answer.text
    return text


async def served(client: httpx.AsyncClient) -> str:
    return str((await client.get("/v1/models")).json()["data"][0]["id"])


async def test_a_worker_in_need_of_memory_writes_the_same(
    worker: RunningWorker, tmp_path: Path
) -> None:
    """Requests are preempted and come back, inside their languages as if nothing had been."""
    async with httpx.AsyncClient(base_url=worker.url, timeout=6000) as client:
        model = await served(client)
        wanted = [await written(client, model, number) for number in range(24)]
    with running_worker(*SMALL, log=tmp_path / "log") as small:
        async with httpx.AsyncClient(base_url=small.url, timeout=6000) as client:
            found = await asyncio.gather(*(written(client, model, n) for n in range(24)))
            preempted = [
                float(line.rpartition(" ")[2])
                for line in (await metrics(client)).splitlines()
                if line.startswith("vllm:num_preemptions_total")
            ]
    assert found == wanted
    assert sum(preempted) > 0


async def test_a_worker_that_was_killed_in_mid_batch_answers_again(tmp_path: Path) -> None:
    port, log = find_free_port(), tmp_path / "log"
    asks = [body(kg_trie(number, hops=3), Search(width=8)) for number in range(8)]
    with running_worker(port=port, log=log) as first:
        async with httpx.AsyncClient(base_url=first.url, timeout=600) as client:
            before = [(await client.post("/v1/decode", json=ask)).json() for ask in asks]
            pending = [asyncio.ensure_future(client.post("/v1/decode", json=a)) for a in asks * 4]
            assert await until(client, "trellis_decodes_running", "trellis_decodes_running 0.0")
            engines = children(first.process.pid)
            assert engines
            first.process.kill()
            ended = await asyncio.gather(*pending, return_exceptions=True)
        first.process.wait()
        for engine in engines:
            assert await gone(engine)
    assert any(isinstance(one, httpx.TransportError) for one in ended)
    with running_worker(port=port, log=log) as second:
        async with httpx.AsyncClient(base_url=second.url, timeout=600) as client:
            after = [(await client.post("/v1/decode", json=ask)).json() for ask in asks]
    assert [told(one) for one in after] == [told(one) for one in before]


def told(answer: dict[str, Any]) -> list[tuple[int, ...]]:
    return [tuple(sentence["tokens"]) for sentence in answer["sentences"]]


def children(pid: int) -> list[int]:
    """The processes that a process has started, and those that these have."""
    tasks = Path(f"/proc/{pid}/task").glob("*/children")
    found = [int(child) for task in tasks for child in task.read_text().split()]
    return found + [other for child in found for other in children(child)]


def ended(pid: int) -> bool:
    """Whether a process is no more; one that nobody has waited for has ended too."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


async def gone(pid: int) -> bool:
    """Whether a process ends before a test that hangs is ended."""
    for _ in range(6_000):
        if ended(pid):
            return True
        await asyncio.sleep(0.1)
    return False


async def test_a_worker_that_is_stopped_ends_what_it_has_begun(tmp_path: Path) -> None:
    """In its last hour it takes nothing new, says so, and goes without an error."""
    with running_worker(log=tmp_path / "log") as running:
        async with httpx.AsyncClient(base_url=running.url, timeout=600) as client:
            long = body(kg_trie(1, hops=4, edges=60), Search(width=32))
            begun = [asyncio.ensure_future(client.post("/v1/decode", json=long)) for _ in range(6)]
            assert await until(client, "trellis_decodes_running 6.0")
            running.process.send_signal(signal.SIGTERM)
            refused = await client.post("/v1/decode", json=body(kg_trie(2)))
            for _ in range(200):
                if refused.status_code == 503:
                    break
                refused = await client.post("/v1/decode", json=body(kg_trie(2)))
            assert refused.json()["type"] == "urn:trellis:problem:not-ready"
            assert refused.headers["retry-after"]
            ended = await asyncio.gather(*begun)
    assert [answer.status_code for answer in ended] == [200] * 6
    assert running.process.returncode == 0
