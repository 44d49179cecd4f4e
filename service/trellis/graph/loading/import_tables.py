"""Rows as the CSV tables that Neo4j's own bulk importer reads, with all that a load adds to them.

A table holds the nodes of some labels, or the relationships of a type. Its columns come as rows
bring them, so its header is written last, into a file of its own.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping
from itertools import count
from pathlib import Path
from typing import Any, Self

from trellis.graph.database.names import LOADED, LOADED_ID, META, ROW_KEY
from trellis.graph.loading.import_values import find_import_type, format_import_value, join_items
from trellis.graph.loading.rows import NodeRow, RelationshipRow

_MOST_TABLES = 200  # of nodes, and of relationships: each is an open file
_REPORTED = 100_000  # rows between two reports of progress
_BLOCK = 1 << 20  # bytes
_NODE = (f"{LOADED_ID}:ID", ":LABEL")
_STATE = (f"{LOADED_ID}:ID(state)", ":LABEL")  # ids of its own: a node may be called so
_RELATIONSHIP = (":START_ID", ":END_ID", ":TYPE", f"{ROW_KEY}:long")


class ImportTable:
    """One CSV file; a short row has no values in the columns that came after it."""

    def __init__(self, stem: Path, fixed: tuple[str, ...]) -> None:
        self.header = stem.with_suffix(".header.csv")
        self.body = stem.with_suffix(".csv")
        self._rows = 0
        self._fixed = fixed
        self._types: dict[str, str] = {}
        self._file = self.body.open("w", encoding="utf-8", newline="")
        self._write = csv.writer(self._file, lineterminator="\n").writerow

    def add_columns(self, properties: Mapping[str, Any]) -> bool:
        """Have a column for each property; False where one is there with another type."""
        types = self._types
        for name, value in properties.items():
            kind = find_import_type(value)
            if types.setdefault(name, kind) != kind:
                return False
        return True

    def write_row(self, fixed: list[str], properties: Mapping[str, Any]) -> None:
        if properties:
            fixed += [
                format_import_value(properties[name]) if name in properties else ""
                for name in self._types
            ]
        self._write(fixed)
        self._rows += 1

    def has_line_breaks(self) -> bool:
        """Whether a closed table has a row of several lines, which the importer has to be told."""
        lines = 0
        with self.body.open("rb") as file:
            while block := file.read(_BLOCK):
                lines += block.count(b"\n")
                if b"\r" in block:
                    return True
        return lines > self._rows

    def close(self) -> None:
        self._file.close()
        with self.header.open("w", encoding="utf-8", newline="") as file:
            columns = [f"{name}:{kind}" for name, kind in self._types.items()]
            csv.writer(file, lineterminator="\n").writerow([*self._fixed, *columns])


class ImportTables:
    """All tables of a graph, in one folder; a context manager, which ends the files."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._nodes: dict[tuple[object, int], ImportTable] = {}
        self._relationships: dict[tuple[object, int], ImportTable] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for table in (*self.nodes, *self.relationships):
            table.close()

    @property
    def nodes(self) -> list[ImportTable]:
        return list(self._nodes.values())

    @property
    def relationships(self) -> list[ImportTable]:
        return list(self._relationships.values())

    def write_nodes(self, rows: Iterable[NodeRow]) -> Iterator[int]:
        """Write all nodes; gives from time to time how many more there are."""
        for number, row in enumerate(rows, 1):
            table = self._find_table(self._nodes, "nodes", _NODE, row.labels, row.properties)
            table.write_row([row.key, join_items((LOADED, *row.labels))], row.properties)
            if number % _REPORTED == 0:
                yield _REPORTED

    def write_state(self, state: Mapping[str, Any]) -> None:
        """Write the node that holds our state of a database."""
        table = self._find_table(self._nodes, "nodes", _STATE, META, state)
        table.write_row(["state", META], state)

    def write_relationships(self, rows: Iterable[RelationshipRow]) -> Iterator[int]:
        """Write all relationships, as `write_nodes` does; rows without a key must differ."""
        tables = self._relationships
        for number, row in enumerate(rows, 1):
            key = "" if row.key is None else str(row.key)
            table = self._find_table(
                tables, "relationships", _RELATIONSHIP, row.type, row.properties
            )
            table.write_row([row.start, row.end, row.type, key], row.properties)
            if number % _REPORTED == 0:
                yield _REPORTED

    def _find_table(
        self,
        tables: dict[tuple[object, int], ImportTable],
        name: str,
        fixed: tuple[str, ...],
        kind: object,
        properties: Mapping[str, Any],
    ) -> ImportTable:
        """The kind's table, or another where a property has two types; one for all late kinds."""
        if (kind, 0) not in tables and len(tables) >= _MOST_TABLES:
            kind = None
        for number in count():
            if (kind, number) not in tables:
                stem = self._folder / f"{name}-{len(tables)}"
                tables[kind, number] = ImportTable(stem, fixed)
            if (table := tables[kind, number]).add_columns(properties):
                return table
        raise AssertionError("an empty table holds any row")
