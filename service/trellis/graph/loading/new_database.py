"""A new database in a folder, made by Neo4j's own tools while no server runs on it.

It is made in a folder of its own and moved to its place in one step, so that what broke off leaves
no database. The next one begins anew.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp
from typing import IO

from trellis.domain.errors import InputError
from trellis.graph.database.progress import Progress

_STAGE = re.compile(r"\(\d/\d\) ([A-Z][a-z ]+[a-z])")  # as in `(1/4) Node import 2026-…`
_PERCENT = re.compile(r"(\d+)(?:\.\d+)?%")
_FAILED = re.compile(r"Failed to [a-z]+ (?:command|database '[^']*'): (.+)")
_ADVICE = re.compile(r"Run with '--verbose'")
_LAST_LINES = 60
_HOME_PREFIX = "importing-"


class ToolError(Exception):
    """One of Neo4j's tools failed; its text is the reason that the tool gave."""


def refuse_database(data: Path) -> None:
    """Raise InputError if the folder has a database."""
    if (data / "data").exists():
        raise InputError(
            f"there is a database in {data} already",
            "name another folder, or start it with `trellis neo4j` and load without --data",
        )


@contextmanager
def make_database(data: Path) -> Iterator[Path]:
    """A home for Neo4j's tools on the same disk; its `data` becomes that of the folder `data`.

    It is removed at the end, and those of imports that were killed are removed first. Raises
    InputError if the folder has a database, or cannot be written to.
    """
    refuse_database(data)
    try:
        data.mkdir(parents=True, exist_ok=True)
        for left in data.glob(f"{_HOME_PREFIX}*"):
            shutil.rmtree(left, ignore_errors=True)
        home = Path(mkdtemp(prefix=_HOME_PREFIX, dir=data)).absolute()
        (home / "conf").mkdir()
    except OSError as error:
        raise InputError(
            f"cannot write to {data} ({error.strerror or error})", "name another folder"
        ) from error
    try:
        yield home
        (home / "data").rename(data / "data")
    finally:
        shutil.rmtree(home, ignore_errors=True)


def run_admin_tool(
    admin: Sequence[str],
    home: Path,
    arguments: Sequence[str],
    progress: Progress,
    stage: str,
    standard_input: IO[bytes] | int = subprocess.DEVNULL,
) -> None:
    """Run one of the tools that work on a database of `home`; raises ToolError where it fails.

    `admin`: the command line of `neo4j-admin`. `stage`: what is told of its progress where it names
    no stage itself.
    """
    process = subprocess.Popen(
        [*admin, *arguments],
        env={**os.environ, "NEO4J_HOME": str(home), "NEO4J_CONF": str(home / "conf")},
        stdin=standard_input,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    )
    assert process.stdout is not None
    try:
        said = _report_stages(process.stdout, stage, progress)
    except BaseException:
        process.kill()
        raise
    finally:
        process.wait()
        process.stdout.close()
    if process.returncode:
        raise ToolError(_find_reason(said))


def _report_stages(lines: Iterable[str], stage: str, progress: Progress) -> list[str]:
    """Tell the percent of each of a tool's stages; returns what it said last."""
    said, told = deque[str](maxlen=_LAST_LINES), -1
    for line in lines:
        if named := _STAGE.match(line):
            stage = named[1].lower()
        elif percent := _PERCENT.search(line):
            if told != (told := int(percent[1])):
                progress(stage, told, 100)
        elif line.strip():
            said.append(line.strip())
    return list(said)


def _find_reason(said: Sequence[str]) -> str:
    """The tool's own reason: what it says has failed, else its last line that is not of a stack
    trace."""
    failed = [match[1] for line in said if (match := _FAILED.search(line))]
    told = [line for line in said if not (line.startswith("at ") or _ADVICE.match(line))]
    return (failed or told[-1:] or ["it said nothing"])[0]
