"""Other commands of ours, run as processes of their own."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from trellis.domain.errors import ServiceError

_STOP_SECONDS = 30


@dataclass(frozen=True, slots=True)
class ChildProcess:
    """A command that runs beside us, and says `ready ADDRESS` when it listens."""

    name: str
    process: subprocess.Popen[str]
    log: Path

    def wait_for_address(self) -> str:
        """Where it listens, once it does; ServiceError where it ended before."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if line.startswith("ready "):
                return line.removeprefix("ready ").strip()
        self.process.wait()
        raise _build_failure(self.name, self.log)

    def stop(self) -> None:
        """Ask it to end, and see that it does."""
        self.process.terminate()
        try:
            self.process.communicate(timeout=_STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def end_children_on_signals(exit_status: int) -> None:
    """From now on SIGTERM and SIGHUP leave by SystemExit, which ends our children on its way."""
    signals = (signal.SIGTERM, signal.SIGHUP)

    def leave(*_: object) -> NoReturn:
        for number in signals:  # a second one would leave children behind
            signal.signal(number, signal.SIG_IGN)
        raise SystemExit(exit_status)

    for number in signals:
        signal.signal(number, leave)


@contextmanager
def start_command(
    arguments: Sequence[str], environment: Mapping[str, str], folder: Path
) -> Iterator[ChildProcess]:
    """Start a command, and end it at the end; what it says on stderr goes to a log in `folder`.

    It runs in a session of its own: a Ctrl-C reaches us alone, and we end our children in turn.
    `end_children_on_signals` has us do so on other signals too.
    """
    log = folder / f"{arguments[0]}.log"
    with log.open("wb") as out:
        process = subprocess.Popen(
            _build_command_line(arguments),
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=out,
            text=True,
            start_new_session=True,
        )
    child = ChildProcess(arguments[0], process, log)
    try:
        yield child
    finally:
        child.stop()


def run_command(arguments: Sequence[str], environment: Mapping[str, str], folder: Path) -> None:
    """Run a command to its end; ServiceError where it fails."""
    log = folder / f"{arguments[0]}.log"
    with log.open("wb") as out:
        done = subprocess.run(
            _build_command_line(arguments),
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=out,
            check=False,
        )
    if done.returncode:
        raise _build_failure(arguments[0], log)


def _build_command_line(arguments: Sequence[str]) -> list[str]:
    return [sys.executable, "-c", "from trellis.cli import main; main()", *arguments]


def _build_failure(name: str, log: Path) -> ServiceError:
    lines = log.read_text(encoding="utf-8", errors="replace").strip().splitlines()
    last_line = lines[-1].removeprefix("trellis: ") if lines else "it said nothing"
    return ServiceError(f"`trellis {name}` failed: {last_line}", f"all it said is in {log}")
