"""The benchmarks: stopped while they run, and thirty-two clients at once, put on a service of this
machine and no other."""

from __future__ import annotations

import asyncio
import os
import re
import select
import signal
import subprocess
from pathlib import Path

import httpx
import pytest

from bench.load import AskedGraph, measure_load
from memory_app import HeldModel, MemoryGraph, app_of, listening
from real_neo4j import skip_without_neo4j
from trellis.cli.graphs.neo4j import find_java
from trellis.domain.errors import InputError
from trellis_command import TRELLIS

TELLING_JAVA = """#!/bin/sh
[ "$1" = -version ] || echo $$ > {pipe}
exec {java} "$@"
"""


@pytest.fixture
def process_ids(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A pipe that tells the process of each Neo4j that is started."""
    skip_without_neo4j(tmp_path)
    pipe, java = tmp_path / "pipe", tmp_path / "home" / "bin" / "java"
    os.mkfifo(pipe)
    java.parent.mkdir(parents=True)
    java.write_text(TELLING_JAVA.format(pipe=pipe, java=find_java()))
    java.chmod(0o755)
    monkeypatch.setenv("JAVA_HOME", str(java.parents[1]))
    return pipe


@pytest.mark.slow
@pytest.mark.parametrize("stop", [signal.SIGTERM, signal.SIGHUP])
def test_no_neo4j_stays_behind_when_the_benchmarks_are_stopped(
    tmp_path: Path, process_ids: Path, stop: signal.Signals
) -> None:
    made = tmp_path / "made"
    made.mkdir()
    bench = subprocess.Popen(
        [TRELLIS, "bench", "--part", "gate"],
        env={**os.environ, "TMPDIR": str(made)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    neo4j = None
    try:
        neo4j = wait_for_process_id(process_ids)
        bench.send_signal(stop)
        assert bench.wait(120) == 128 + signal.SIGTERM
        assert not is_running(neo4j)
        assert list(made.iterdir()) == []
    finally:
        bench.kill()
        bench.wait()
        if neo4j and is_running(neo4j):
            os.kill(neo4j, signal.SIGKILL)


def wait_for_process_id(pipe: Path) -> int:
    descriptor = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        assert select.select([descriptor], [], [], 120)[0], "no Neo4j was started"
        return int(os.read(descriptor, 100))
    finally:
        os.close(descriptor)


def is_running(process_id: int) -> bool:
    return Path("/proc", str(process_id)).exists()


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
