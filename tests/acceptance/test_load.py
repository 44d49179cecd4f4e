"""Thirty-two clients at once, put on a service of this machine and no other."""

from __future__ import annotations

from pathlib import Path

import pytest

from memory_house import MemoryGraph, app_of, listening
from trellis.domain.errors import InputError
from trellis.evaluation.load import load

QUESTIONS = ["What is the capital of France?", "The capital of Germany?", "Who speaks French?"]


async def test_every_client_is_answered(tmp_path: Path) -> None:
    async with listening(app_of(tmp_path, MemoryGraph())) as url:
        borne = await load(url, 2.0, 32, QUESTIONS)
    assert len(borne.took) >= 32
    assert (borne.failed, borne.refused) == ({}, 0)
    figures = borne.figures()
    assert figures["errors"] == "none"
    assert float(figures["p50 ms"]) <= float(figures["p95 ms"]) <= float(figures["p99 ms"])


async def test_a_service_that_takes_few_refuses_the_rest_and_fails_none(tmp_path: Path) -> None:
    app = app_of(tmp_path, MemoryGraph(), concurrency=1, waiting=2)
    async with listening(app) as url:
        borne = await load(url, 2.0, 16, QUESTIONS)
    assert borne.took
    assert borne.refused
    assert borne.failed == {}


@pytest.mark.parametrize("url", ["http://192.0.2.1:8000", "http://[2001:db8::1]/", "http://"])
async def test_no_other_machine_is_ever_asked(url: str) -> None:
    with pytest.raises(InputError):
        await load(url, 1.0, 1, QUESTIONS)
