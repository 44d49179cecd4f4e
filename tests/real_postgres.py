"""A real PostgreSQL of this machine's binaries, for tests."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

DEBIAN_FOLDERS = Path("/usr/lib/postgresql")
PASSWORD = "correct horse"
READY = "database system is ready to accept connections"
SETTINGS = {
    "listen_addresses": "127.0.0.1",
    "fsync": "off",  # what the operating system has is safe when a process is killed
    "shared_buffers": "16MB",
    "log_min_messages": "log",  # errors of clients would fill a pipe that nobody reads
}


def find_binaries() -> Path | None:
    """The folder of PostgreSQL's newest binaries as Debian puts them; else None."""
    folders = sorted(DEBIAN_FOLDERS.glob("*/bin/initdb"), key=lambda it: float(it.parts[-3]))
    return folders[-1].parent if folders else None


@dataclass
class Postgres:
    """A server whose databases are in `folder`; `start` and `kill` it as often as you like."""

    binaries: Path
    folder: Path
    port: int
    process: subprocess.Popen[str] | None = None

    def url(self, database: str = "postgres", driver: str = "postgresql+asyncpg") -> str:
        """SQLAlchemy's address of one of its databases."""
        quoted = PASSWORD.replace(" ", "%20")
        return f"{driver}://trellis:{quoted}@127.0.0.1:{self.port}/{database}"

    def create(self) -> None:
        """Make the files of an empty server, with one user, who needs a password."""
        secret = self.folder / "password"
        secret.write_text(PASSWORD, encoding="utf-8")
        secret.chmod(0o644)
        options = ["--auth=scram-sha-256", "-U", "trellis", f"--pwfile={secret}", "--no-sync"]
        self._run("initdb", "-D", self._data, "-E", "UTF8", "--locale=C.UTF-8", *options)

    def start(self) -> None:
        """Start the server; returns once it takes connections."""
        settings = {**SETTINGS, "port": self.port, "unix_socket_directories": self.folder}
        options = [f"--{name}={value}" for name, value in settings.items()]
        self.process = subprocess.Popen(
            [self.binaries / "postgres", "-D", self._data, *options],
            stderr=subprocess.PIPE,
            text=True,
            **choose_user(),
        )
        assert self.process.stderr
        said = ""
        for line in self.process.stderr:
            said += line
            if READY in line:
                return
        raise AssertionError(f"PostgreSQL did not start:\n{said}")

    def kill(self) -> None:
        """End the server at once, as if its machine had failed; its children end by themselves."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        """End the server as its own tools do, without waiting for clients."""
        self._end(signal.SIGINT)

    def dump(self, database: str, file: Path) -> None:
        """Back a database up, as docs/operation.md says."""
        self._run("pg_dump", "--format=custom", f"--file={file}", self.url(database, "postgresql"))

    def restore(self, file: Path, database: str) -> None:
        """Bring a backup back into a database, whatever is in that."""
        options = ("--clean", "--if-exists", "--no-owner")
        target = f"--dbname={self.url(database, 'postgresql')}"
        self._run("pg_restore", *options, target, file)

    def create_database(self, name: str) -> str:
        """The address of a new, empty database."""
        self._run("psql", self.url(driver="postgresql"), "-c", f'CREATE DATABASE "{name}"')
        return self.url(name)

    @property
    def _data(self) -> Path:
        return self.folder / "data"

    def _end(self, how: signal.Signals) -> None:
        if self.process:
            self.process.send_signal(how)
            self.process.communicate()  # until its children too have closed what they log to
            self.process = None

    def _run(self, program: str, *arguments: Any) -> None:
        command = [self.binaries / program, *arguments]
        done = subprocess.run(command, capture_output=True, text=True, **choose_user())
        assert done.returncode == 0, done.stderr


def choose_user() -> Mapping[str, Any]:
    """Whom PostgreSQL's programs run as: it refuses to be run by root."""
    return {"user": "nobody", "group": "nogroup", "extra_groups": ()} if os.geteuid() == 0 else {}


@contextmanager
def running_postgres(binaries: Path) -> Iterator[Postgres]:
    """A server in a temporary folder, on a free port; it and the folder are gone afterwards."""
    folder = Path(tempfile.mkdtemp(prefix="trellis-postgres-"))
    if os.geteuid() == 0:
        shutil.chown(folder, "nobody", "nogroup")
    server = Postgres(binaries, folder, find_free_port())
    try:
        server.create()
        server.start()
        yield server
    finally:
        server.stop()
        shutil.rmtree(folder)


def find_free_port() -> int:
    """A port that nobody listens on."""
    with socket.create_server(("127.0.0.1", 0)) as bound:
        return int(bound.getsockname()[1])
