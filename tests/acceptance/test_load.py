"""Thirty-two clients at once, put on a service of this machine and no other."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import httpx
import pytest

from bench.load import AskedGraph, measure_load
from memory_app import HeldModel, MemoryGraph, app_of, listening
from trellis.domain.errors import InputError

QUESTIONS = ["What is the capital of France?", "The capital of Germany?", "Who speaks French?"]


async def test_every_client_is_answered(tmp_path: Path) -> None:
    app = app_of(tmp_path, MemoryGraph(), waiting=32)
    async with listening(app) as url, httpx.AsyncClient(base_url=url, timeout=None) as client:
        borne = await measure_load(url, 0.0, 32, [AskedGraph(QUESTIONS)])
        assert (len(borne.answer_seconds), borne.error_counts, borne.refused) == (32, {}, 0)
        assert await kept(client) == 32
        assert await at_work(client) == {"running": 0, "waiting": 0}
    figures = borne.format_figures()
    assert figures["errors"] == "none"
    assert float(figures["p50 ms"]) <= float(figures["p95 ms"]) <= float(figures["p99 ms"])


async def test_a_service_that_takes_few_refuses_the_rest_and_fails_none(tmp_path: Path) -> None:
    model = HeldModel()
    app = app_of(tmp_path, MemoryGraph(), lambda: model, concurrency=1, waiting=2)
    async with listening(app) as url, httpx.AsyncClient(base_url=url, timeout=None) as client:
        asking = asyncio.create_task(measure_load(url, 0.0, 16, [AskedGraph(QUESTIONS)]))
        while await refusals(client) < 13:
            assert not asking.done()
        assert await at_work(client) == {"running": 1, "waiting": 2}
        model.go.set()
        borne = await asking
        assert (len(borne.answer_seconds), borne.error_counts, borne.refused) == (3, {}, 13)
        assert await kept(client) == 3
        assert await at_work(client) == {"running": 0, "waiting": 0}


async def kept(client: httpx.AsyncClient) -> int:
    """How many answers the store holds."""
    return len((await client.get("/v1/answers", params={"limit": 100})).json()["answers"])


async def at_work(client: httpx.AsyncClient) -> dict[str, float]:
    """How many questions are answered now and how many wait, as Prometheus is told."""
    text = (await client.get("/metrics")).text
    figures = re.findall(r"^trellis_(running|waiting) (\S+)$", text, re.MULTILINE)
    return {name: float(figure) for name, figure in figures}


async def refusals(client: httpx.AsyncClient) -> float:
    """How many questions were answered by 429, as Prometheus is told."""
    text = (await client.get("/metrics")).text
    lines = re.findall(r"^trellis_http_requests_total\{(.*)\} (\S+)$", text, re.MULTILINE)
    return sum(float(figure) for labels, figure in lines if 'status="429"' in labels)


@pytest.mark.parametrize("url", ["http://192.0.2.1:8000", "http://[2001:db8::1]/", "http://"])
async def test_no_other_machine_is_ever_asked(url: str) -> None:
    with pytest.raises(InputError):
        await measure_load(url, 1.0, 1, [AskedGraph(QUESTIONS)])
