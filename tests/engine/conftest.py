"""One real worker for all tests of this folder."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from real_worker import RunningWorker, running_worker, skip_without_vllm


@pytest.fixture(scope="package")
def worker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningWorker]:
    """A worker that serves the bundled model on this machine's CPU."""
    skip_without_vllm()
    with running_worker(log=tmp_path_factory.mktemp("worker") / "log") as running:
        yield running
