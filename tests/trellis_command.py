"""`trellis` as a user runs it: a process of its own, with no settings but those that are given."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

TRELLIS = Path(sys.executable).with_name("trellis")


def build_environment(**settings: object) -> dict[str, str]:
    """The tests' own environment, but with these settings of Trellis alone: `NEO4J_URI`, …"""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("TRELLIS_")}
    return clean | {f"TRELLIS_{name}": str(value) for name, value in settings.items()}


def call_trellis(
    folder: Path, environment: Mapping[str, str], *arguments: object
) -> subprocess.CompletedProcess[str]:
    """What came of a command that ran in a folder."""
    return subprocess.run(
        [TRELLIS, *(it if isinstance(it, bytes) else str(it) for it in arguments)],
        env=environment,
        cwd=folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )


def run_trellis(folder: Path, uri: str, *arguments: object) -> tuple[int, str]:
    """The exit code and what was said on stderr; `folder`: where it runs, with its own store."""
    store = f"sqlite+aiosqlite:///{folder}/answers.db"
    done = call_trellis(folder, build_environment(NEO4J_URI=uri, STORE_URL=store), *arguments)
    return done.returncode, done.stderr


@contextmanager
def serving(
    folder: Path, environment: Mapping[str, str], *arguments: str
) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """A command that serves, ended by SIGTERM, and its address for this machine."""
    process = subprocess.Popen(
        [TRELLIS, *arguments],
        env=environment,
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        assert process.stdout is not None
        line = process.stdout.readline().strip()
        assert line.startswith("ready http://"), line
        yield line.removeprefix("ready ").replace("0.0.0.0", "127.0.0.1"), process
    finally:
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=60)
