"""The benchmarks, stopped while they run."""

from __future__ import annotations

import os
import select
import signal
import subprocess
from pathlib import Path

import pytest

from real_neo4j import skip_without_neo4j
from trellis.cli.neo4j import find_java
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
