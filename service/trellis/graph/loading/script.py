"""A Cypher script: statements that end with `;`, run one after the other on a server."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from trellis.domain.errors import (
    FileFormatError,
    GraphError,
    GraphTimeoutError,
    GraphUnavailableError,
)
from trellis.graph.database.connection import GraphConnection
from trellis.graph.database.progress import Progress
from trellis.graph.loading.files import open_text
from trellis.graph.loading.rows import BadRows, LoadReport

log = logging.getLogger(__name__)

_REPORTED = 100  # statements between two reports of progress
_SUFFIXES = (".cypher", ".cql", ".cyp")
_SKIPPED = re.compile(r":(begin|commit|schema\s+await)\b", re.IGNORECASE)
_TOKENS = {  # what ends a piece of text, by what has begun
    "": re.compile(r"['\"`;]|//|/\*"),
    "'": re.compile(r"\\.|'", re.DOTALL),
    '"': re.compile(r"\\.|\"", re.DOTALL),
    "`": re.compile(r"`"),
    "/*": re.compile(r"\*/"),
}
_KINDS = {"'": "string", '"': "string", "`": "name", "/*": "comment"}


@dataclass(frozen=True, slots=True)
class ScriptStatement:
    """A statement, and the line (from 1) on which it begins."""

    line: int
    text: str


def is_script(path: Path) -> bool:
    """Whether a file is a Cypher script, by its name; it may be compressed (`.gz`)."""
    return Path(path.name.lower().removesuffix(".gz")).suffix in _SUFFIXES


def count_statements(path: Path) -> int:
    """How many statements there are; each command of Neo4j's shell that is left out is logged.

    Raises BadRowsError for commands of the shell that cannot be left out, and FileFormatError for a
    string or comment without an end, or where there is no statement.
    """
    bad, count = BadRows(), 0
    for statement in _scan_statements(path):
        if not statement.text.startswith(":"):
            count += 1
        elif _SKIPPED.match(statement.text):
            log.warning("%s:%d: %s is left out", path.name, statement.line, statement.text)
        else:
            bad.add(path, statement.line, f"{statement.text} is of Neo4j's shell, and no Cypher")
    bad.raise_if_any()
    if not count:
        raise FileFormatError(f"{path} has no statement", "a statement ends with `;`")
    return count


def read_statements(path: Path) -> Iterator[ScriptStatement]:
    """The statements of a script that was checked, without commands of the shell."""
    return (each for each in _scan_statements(path) if not each.text.startswith(":"))


async def run_script(
    connection: GraphConnection, path: Path, total: int, progress: Progress
) -> LoadReport:
    """Run all statements, each in a transaction of its own, unless it manages its own.

    FileFormatError names the line of a statement that Neo4j refuses; those before it were run.
    """
    nodes = relationships = 0
    async with connection.open_commands() as run_command:
        for done, statement in enumerate(read_statements(path), start=1):
            try:
                counters = await run_command(statement.text)
            except (GraphUnavailableError, GraphTimeoutError):
                raise
            except GraphError as error:
                raise FileFormatError(
                    f"{path.name}:{statement.line}: {error.problem}",
                    f"{done - 1:,} statements before it were run: correct it, and load again with "
                    "--replace, which deletes all that the database holds first",
                ) from error
            nodes += counters.nodes_created
            relationships += counters.relationships_created
            if done == total or not done % _REPORTED:
                progress("statements", done, total)
    return LoadReport(nodes, relationships)


class _StatementScanner:
    """Cuts a script into statements, line by line."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._inside, self._opened_at = "", 0  # a string, name or comment that has begun
        self._parts: list[str] = []
        self._line = 0  # where the statement begins; 0: it has no code yet

    def scan_line(self, number: int, line: str) -> Iterator[ScriptStatement]:
        """The statements that end on a line, or the command of the shell that the line is."""
        if not (self._line or self._inside) and line.lstrip().startswith(":"):
            yield ScriptStatement(number, line.strip().rstrip(";"))
            return
        at = 0
        while match := _TOKENS[self._inside].search(line, at):
            self._add_code(number, line[at : match.start()])
            at = match.end()
            token = match[0]
            if token == "//":
                self._add_code(number, "\n")
                return
            if token == ";" and not self._inside:
                yield from self._end_statement()
                continue
            self._change_state(number, token)
        self._add_code(number, line[at:])

    def finish(self) -> Iterator[ScriptStatement]:
        """The last statement, which needs no `;`; FileFormatError where something has no end."""
        if self._inside:
            raise FileFormatError(
                f"{self._path.name}:{self._opened_at}: the {_KINDS[self._inside]} that begins here "
                "has no end",
                f"write its {'*/' if self._inside == '/*' else self._inside}",
            )
        yield from self._end_statement()

    def _change_state(self, number: int, token: str) -> None:
        if not self._inside:
            self._add_code(number, " " if token == "/*" else token)
            self._inside, self._opened_at = token, number
            return
        is_comment = self._inside == "/*"
        if not is_comment:
            self._add_code(number, token)
        if token[0] != "\\":
            self._inside = ""

    def _add_code(self, number: int, text: str) -> None:
        """Keep text of the statement; of a comment its line breaks alone, as lines are counted."""
        if self._inside == "/*":
            text = "\n" * text.count("\n")
        if not self._line and not text.isspace() and text:
            self._line = number
            text = text.lstrip()
        if self._line:
            self._parts.append(text)

    def _end_statement(self) -> Iterator[ScriptStatement]:
        text, line = "".join(self._parts).strip(), self._line
        self._parts, self._line = [], 0
        if text:
            yield ScriptStatement(line, text)


def _scan_statements(path: Path) -> Iterator[ScriptStatement]:
    """Statements, and commands of Neo4j's shell as they stand (`:begin`)."""
    scanner = _StatementScanner(path)
    with open_text(path, newline="\n") as text:
        for number, line in enumerate(text, start=1):
            yield from scanner.scan_line(number, line)
    yield from scanner.finish()
