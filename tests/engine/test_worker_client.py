"""The client engine over a real worker: what holds of any worker holds of vLLM's."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from real_worker import RunningWorker
from trellis.engines.local import LocalModel
from trellis.engines.worker import WorkerModel
from unit.decoding.workers import asking
from worker_contract import WorkerContract


@pytest.fixture(scope="module")
def local(worker: RunningWorker, tmp_path_factory: pytest.TempPathFactory) -> LocalModel:
    return LocalModel.load(worker.folder, "cpu", tmp_path_factory.mktemp("cache"))


@pytest.fixture
async def model(worker: RunningWorker) -> AsyncIterator[WorkerModel]:
    async with asking(worker.url) as opened:
        yield opened


class TestARealWorker(WorkerContract):
    """vLLM on this machine."""
