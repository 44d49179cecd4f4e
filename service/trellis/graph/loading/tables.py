"""CSV files with Neo4j import headers, row by row."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from trellis.domain.errors import FileFormatError
from trellis.graph.loading.files import open_text
from trellis.graph.loading.headers import Column, Role, find_missing_roles, parse_column
from trellis.graph.loading.properties import is_known_type, parse_value
from trellis.graph.loading.rows import NO_PROPERTIES, shorten_key

csv.field_size_limit(1 << 24)

_OTHER_SEPARATORS = {";": "`;`", "\t": "tabs", "|": "`|`"}


class TableRow(NamedTuple):
    """One row: the line it starts on, its fields by role, its properties, or what is wrong.

    A named tuple, which is made four times as fast as a dataclass: there are very many.
    """

    line: int
    ids: Mapping[Role, str]
    labels: tuple[str, ...] = ()
    type: str = ""
    properties: Mapping[str, Any] = NO_PROPERTIES
    problem: str = ""


def read_records(path: Path, required: tuple[Role, ...]) -> Iterator[TableRow]:
    """All rows of a file; its header must have the `required` roles.

    Keys in `ids` are `group<TAB>id`, so that ids of different groups never meet.
    """
    with open_text(path, newline="") as text:
        reader = csv.reader(text)
        layout = _RowLayout(_check_columns(path, _parse_header(path, next(reader, [])), required))
        line = reader.line_num + 1
        try:
            for fields in reader:
                if fields:
                    yield layout.parse_row(line, fields)
                line = reader.line_num + 1
        except csv.Error as error:
            raise FileFormatError(f"{path.name}:{line}: {error}", "is it a CSV file?") from error


def read_header(path: Path) -> list[Column]:
    """The columns of a file; FileFormatError where it is empty or its separator is no comma."""
    with open_text(path, newline="") as text:
        return _parse_header(path, next(csv.reader(text), []))


def _parse_header(path: Path, header: list[str]) -> list[Column]:
    if not header:
        raise FileFormatError(f"{path} is empty", "its first line must be a Neo4j import header")
    if len(header) == 1:
        for separator, name in _OTHER_SEPARATORS.items():
            if separator in header[0]:
                raise FileFormatError(
                    f"{path.name}:1: the columns are separated by {name}, not by commas",
                    "save it again with commas; `;` stands between the items of a list alone",
                )
    return [parse_column(text) for text in header]


def _check_columns(path: Path, columns: list[Column], required: tuple[Role, ...]) -> list[Column]:
    """The columns, once they are found to have the roles that are needed, and known types."""
    if missing := find_missing_roles(columns, required):
        names = ", ".join(_ROLE_HEADERS[role] for role in missing)
        raise FileFormatError(f"{path.name}:1: the header lacks {names}", "add the column")
    for column in columns:
        if column.role == "property" and not is_known_type(column.type):
            raise FileFormatError(
                f"{path.name}:1: '{column.name}' has unknown type '{column.type}'",
                "use string, int, float, boolean, date, datetime, time, point or an array of one",
            )
    return columns


class _RowLayout:
    """Where in a row each of a header's columns stands."""

    def __init__(self, columns: list[Column]) -> None:
        numbered = list(enumerate(columns))
        self._width = len(columns)
        self._labels = [at for at, column in numbered if column.role == "label"]
        self._types = [at for at, column in numbered if column.role == "type"]
        self._ids: list[tuple[int, Role, str]] = [
            (at, column.role, f"{column.group}\t")
            for at, column in numbered
            if column.role in ("id", "start", "end")
        ]
        self._properties = [
            (at, column.name, column.type)
            for at, column in numbered
            if column.role == "property" or (column.role == "id" and column.name)
        ]

    def parse_row(self, line: int, fields: list[str]) -> TableRow:
        width = self._width
        if len(fields) > width and any(fields[width:]):
            return TableRow(line, {}, problem=f"has {len(fields)} columns, the header {width}")
        if len(fields) < width:
            fields += [""] * (width - len(fields))
        properties = {}
        for at, name, kind in self._properties:
            try:
                value = parse_value(fields[at], kind)
            except (ValueError, OverflowError):
                return TableRow(line, {}, problem=f"'{fields[at]}' is no {kind} ({name})")
            if value is not None:
                properties[name] = value
        return TableRow(
            line,
            {role: shorten_key(group + fields[at]) for at, role, group in self._ids if fields[at]},
            self._read_labels(fields) if self._labels else (),
            fields[self._types[-1]].strip() if self._types else "",
            properties,
        )

    def _read_labels(self, fields: list[str]) -> tuple[str, ...]:
        parts = [part.strip() for at in self._labels for part in fields[at].split(";")]
        return tuple(part for part in parts if part)


_ROLE_HEADERS: dict[Role, str] = {
    "id": ":ID",
    "start": ":START_ID",
    "end": ":END_ID",
    "type": ":TYPE",
    "label": ":LABEL",
}
