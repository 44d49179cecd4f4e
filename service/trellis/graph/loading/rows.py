"""What every graph file comes down to: rows of nodes and relationships, and rows that are bad."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol

from trellis.domain.errors import FileFormatError

NO_PROPERTIES: Mapping[str, Any] = MappingProxyType({})
MOST_BAD_ROWS = 20
_LONGEST_KEY = 1_000  # an index takes values of about 8 kB


def shorten_key(text: str) -> str:
    """`text`, or, where it is too long for an index, its beginning and a digest of it."""
    if len(text) <= _LONGEST_KEY:
        return text
    return f"{text[:_LONGEST_KEY]}\t{blake2b(text.encode(), digest_size=16).hexdigest()}"


class NodeRow(NamedTuple):
    """A node. `key` is its identity: the same key is the same node, in every load."""

    key: str
    labels: tuple[str, ...]
    properties: Mapping[str, Any]


class RelationshipRow(NamedTuple):
    """A relationship between two keys.

    `key` is None where a relationship is its ends and type (triples). Else it tells parallel
    relationships apart: a digest of the row and of how many equal rows came before it.
    """

    type: str
    start: str
    end: str
    properties: Mapping[str, Any] = NO_PROPERTIES
    key: int | None = None


@dataclass(frozen=True, slots=True)
class LoadReport:
    """What is in the files, or what the statements of a script have created."""

    nodes: int
    relationships: int


class GraphSource(Protocol):
    """A graph in files, read as often as it takes."""

    def survey_rows(self, bad_rows: BadRows) -> LoadReport:
        """Read all; tell `bad_rows` of every row that cannot be loaded."""

    def read_nodes(self) -> Iterator[NodeRow]:
        """All nodes, each key once."""

    def read_relationships(self) -> Iterator[RelationshipRow]:
        """All relationships; their ends are among the nodes."""


class BadRowsError(FileFormatError):
    """Rows that cannot be loaded, as `file:line: why`."""

    def __init__(self, rows: list[str], more: bool) -> None:
        self.rows = rows
        many = f"{len(rows)} bad rows or more" if more else f"{len(rows)} bad row(s)"
        super().__init__(
            f"{many}, the first at {rows[0]}", "correct them and load again; nothing was loaded"
        )


class BadRows:
    """Collects bad rows and gives up after `MOST_BAD_ROWS`."""

    def __init__(self) -> None:
        self._rows: list[str] = []

    def add(self, file: Path, line: int, problem: str) -> None:
        self._rows.append(f"{file.name}:{line}: {problem}")
        if len(self._rows) >= MOST_BAD_ROWS:
            raise BadRowsError(self._rows, more=True)

    def raise_if_any(self) -> None:
        """Raise BadRowsError if there was any."""
        if self._rows:
            raise BadRowsError(self._rows, more=False)
