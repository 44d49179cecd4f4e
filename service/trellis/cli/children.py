"""Other commands of ours, run as processes of their own."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from trellis.domain.errors import ServiceError

_STOP_SECONDS = 30


def running(arguments: Sequence[str], environment: Mapping[str, str], log: Path) -> None:
    """Run a command to its end; ServiceError where it fails."""
    with log.open("ab") as out:
        done = subprocess.run(
            _command(arguments),
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=out,
            check=False,
        )
    if done.returncode:
        raise _failed(arguments, log)


@contextmanager
def started(arguments: Sequence[str], environment: Mapping[str, str], log: Path) -> Iterator[str]:
    """Start a command that prints `ready ADDRESS`, give the address, and end it at the end.

    It runs in a session of its own: a Ctrl-C reaches us alone, and we end our children in turn.
    """
    with log.open("ab") as out:
        child = subprocess.Popen(
            _command(arguments),
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=out,
            text=True,
            start_new_session=True,
        )
    try:
        yield _ready(child, arguments, log)
    finally:
        _end(child)


def _command(arguments: Sequence[str]) -> list[str]:
    return [sys.executable, "-c", "from trellis.cli import main; main()", *arguments]


def _ready(child: subprocess.Popen[str], arguments: Sequence[str], log: Path) -> str:
    assert child.stdout is not None
    for line in child.stdout:
        if line.startswith("ready "):
            return line.removeprefix("ready ").strip()
    child.wait()
    raise _failed(arguments, log)


def _end(child: subprocess.Popen[str]) -> None:
    child.terminate()
    try:
        child.communicate(timeout=_STOP_SECONDS)
    except subprocess.TimeoutExpired:
        child.kill()
        child.wait()


def _failed(arguments: Sequence[str], log: Path) -> ServiceError:
    lines = log.read_text(encoding="utf-8", errors="replace").strip().splitlines()
    said = lines[-1].removeprefix("trellis: ") if lines else "it said nothing"
    return ServiceError(f"`trellis {arguments[0]}` failed: {said}", f"all it said is in {log}")
