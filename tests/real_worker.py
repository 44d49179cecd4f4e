"""A real decoding worker, vLLM and all, for the tests that need one."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from trellis.cli.operation.worker import find_python
from trellis.domain.errors import ServiceError
from trellis.settings import BUNDLED_MODEL


@dataclass(frozen=True)
class RunningWorker:
    """Its address, its process, and the model folder that it serves."""

    url: str
    process: subprocess.Popen[str]
    folder: Path | str


def skip_without_vllm() -> None:
    """Skip the test where the worker's environment was not made."""
    try:
        find_python()
    except ServiceError as error:
        pytest.skip(str(error))


def build_worker_command(folder: Path | str, port: int) -> list[str]:
    """What starts a worker of a model folder; `port`: 0 for any free one."""
    started = [str(find_python()), "-m", "trellis.worker", "--model", str(folder)]
    return [*started, "--port", str(port)]


@contextmanager
def running_worker(
    *more: str,
    folder: Path | str = BUNDLED_MODEL,
    port: int = 0,
    log: Path,
    environment: Mapping[str, str] | None = None,
) -> Iterator[RunningWorker]:
    """A worker of a model folder, ended by SIGTERM.

    `folder`: several are comma-separated. `more`: further arguments, and `environment`: further
    variables, of vLLM's own.
    """
    command = [*build_worker_command(folder, port), "--drain", "20", *more]
    with log.open("a") as errors:
        process = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            env={**os.environ, **(environment or {})},
        )
    assert process.stdout
    try:
        ready = next((line for line in process.stdout if line.startswith("ready ")), "")
        assert ready, f"the worker did not start: {log.read_text()[-3000:]}"
        yield RunningWorker(ready.split()[1], process, folder)
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(60)
        process.stdout.close()
