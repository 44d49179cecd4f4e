"""Real small workers, and the local engine that they answer like."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from trellis.engines.local import LocalModel
from trellis.engines.workers.worker import WorkerModel
from trellis.settings import BUNDLED_MODEL
from unit.decoding.workers import TOKENIZER, asking
from worker_server import WorkerServer, worker_server


@pytest.fixture(scope="session")
def local(tmp_path_factory: pytest.TempPathFactory) -> LocalModel:
    return LocalModel.load(BUNDLED_MODEL, "cpu", tmp_path_factory.mktemp("cache"))


@pytest.fixture
async def worker(local: LocalModel) -> AsyncIterator[WorkerServer]:
    async with worker_server(local, TOKENIZER) as running:
        yield running


@pytest.fixture
async def pair(local: LocalModel) -> AsyncIterator[tuple[WorkerServer, WorkerServer]]:
    async with worker_server(local, TOKENIZER) as one, worker_server(local, TOKENIZER) as other:
        yield one, other


@pytest.fixture
async def model(worker: WorkerServer) -> AsyncIterator[WorkerModel]:
    async with asking(worker.url) as opened:
        yield opened
