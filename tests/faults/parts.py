"""The parts of a running Trellis as processes, which a fault kills, freezes and starts again."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from real_postgres import Postgres


class FaultyPart(Protocol):
    """A part that can be killed and started, frozen and thawed."""

    def start(self) -> None:
        """Start it; returns once it is ready."""

    def kill(self) -> None:
        """End it at once, as if its machine had failed."""

    def freeze(self) -> None:
        """Stop it in the middle of whatever it does."""

    def thaw(self) -> None:
        """Let it go on."""


@dataclass
class ProcessPart:
    """A command that prints a line with `ready` once it serves: `ready ADDRESS`, unless the address
    is known before. Its children are killed and frozen with it."""

    command: Sequence[str]
    environment: Mapping[str, str]
    log: Path
    address: str = ""
    ready: str = "ready "
    process: subprocess.Popen[str] = field(init=False)

    def start(self) -> None:
        with self.log.open("a", encoding="utf-8") as log:
            self.process = subprocess.Popen(
                self.command, env=self.environment, stdout=subprocess.PIPE, stderr=log, text=True
            )
        assert self.process.stdout
        line = next((line for line in self.process.stdout if self.ready in line), "")
        assert line, f"{self.command[:4]} was not ready; see {self.log}"
        self.address = self.address or line.split()[1]

    def kill(self) -> None:
        self._send(signal.SIGKILL)
        self.process.communicate()

    def freeze(self) -> None:
        self._send(signal.SIGSTOP)

    def thaw(self) -> None:
        self._send(signal.SIGCONT)

    def _send(self, number: signal.Signals) -> None:
        for pid in [*_list_family(self.process.pid)]:
            os.kill(pid, number)

    def end(self) -> None:
        """End it as its own users do."""
        self.thaw()
        self.process.terminate()
        try:
            self.process.communicate(timeout=60)
        except subprocess.TimeoutExpired:
            self.kill()


@dataclass
class PostgresPart:
    """A PostgreSQL: its first process, and one for each connection."""

    server: Postgres

    def start(self) -> None:
        self.server.start()

    def kill(self) -> None:
        self.server.kill()

    def freeze(self) -> None:
        self._send(signal.SIGSTOP)

    def thaw(self) -> None:
        self._send(signal.SIGCONT)

    def _send(self, number: signal.Signals) -> None:
        assert self.server.process
        for pid in _list_family(self.server.process.pid):
            os.kill(pid, number)


def _list_family(pid: int) -> Iterator[int]:
    """A process and all that it began, by whichever of its threads."""
    yield pid
    for thread in Path(f"/proc/{pid}/task").iterdir():
        for child in (thread / "children").read_text(encoding="ascii").split():
            yield from _list_family(int(child))


@dataclass(frozen=True, slots=True)
class Resources:
    """What a process holds: open files and sockets, threads, and MiB of memory."""

    files: int
    sockets: int
    threads: int
    memory: int

    @classmethod
    def of(cls, pid: int) -> Resources:
        opened = []
        for entry in Path(f"/proc/{pid}/fd").iterdir():
            try:
                opened.append(str(entry.readlink()))
            except FileNotFoundError:
                continue  # closed since it was listed
        sockets = sum(name.startswith("socket:") for name in opened)
        status = dict(
            line.split(":", 1)
            for line in Path(f"/proc/{pid}/status").read_text(encoding="utf-8").splitlines()
        )
        memory = int(status["VmRSS"].split()[0]) // 1024
        return cls(len(opened), sockets, int(status["Threads"]), memory)
