"""CSV files with Neo4j import headers, row by row."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from trellis.domain.errors import FileFormatError
from trellis.graph.loading.files import open_text
from trellis.graph.loading.headers import Column, Role, find_missing_roles, parse_column
from trellis.graph.loading.properties import is_known_type, parse_value
from trellis.graph.loading.rows import shorten_key

csv.field_size_limit(1 << 24)


@dataclass(frozen=True, slots=True)
class TableRow:
    """One row: the line it starts on, its fields by role, its properties, or what is wrong."""

    line: int
    ids: dict[Role, str]
    labels: tuple[str, ...] = ()
    type: str = ""
    properties: dict[str, Any] | None = None
    problem: str = ""


def read_records(path: Path, required: tuple[Role, ...]) -> Iterator[TableRow]:
    """All rows of a file; its header must have the `required` roles.

    Keys in `ids` are `group<TAB>id`, so that ids of different groups never meet.
    """
    with open_text(path, newline="") as text:
        reader = csv.reader(text)
        columns = _parse_header(path, next(reader, []), required)
        line = reader.line_num + 1
        try:
            for fields in reader:
                if fields:
                    yield _parse_record(line, columns, fields)
                line = reader.line_num + 1
        except csv.Error as error:
            raise FileFormatError(f"{path.name}:{line}: {error}", "is it a CSV file?") from error


def _parse_header(path: Path, header: list[str], required: tuple[Role, ...]) -> list[Column]:
    columns = [parse_column(text) for text in header]
    if not columns:
        raise FileFormatError(f"{path} is empty", "its first line must be a Neo4j import header")
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


def _parse_record(line: int, columns: list[Column], fields: list[str]) -> TableRow:
    if len(fields) > len(columns) and any(fields[len(columns) :]):
        return TableRow(line, {}, problem=f"has {len(fields)} columns, the header {len(columns)}")
    ids: dict[Role, str] = {}
    labels: tuple[str, ...] = ()
    kind, properties = "", dict[str, Any]()
    for column, text in zip(columns, fields, strict=False):
        if column.role == "label":
            labels += tuple(part.strip() for part in text.split(";") if part.strip())
        elif column.role == "type":
            kind = text.strip()
        elif column.role in ("id", "start", "end") and text != "":
            ids[column.role] = shorten_key(f"{column.group}\t{text}")
        try:
            _take_property(column, text, properties)
        except (ValueError, OverflowError):
            return TableRow(line, {}, problem=f"'{text}' is no {column.type} ({column.name})")
    return TableRow(line, ids, labels, kind, properties)


def _take_property(column: Column, text: str, properties: dict[str, Any]) -> None:
    """Keep what a property, or a named id, says."""
    if column.role == "property" or (column.role == "id" and column.name):
        value = parse_value(text, column.type)
        if value is not None:
            properties[column.name] = value


_ROLE_HEADERS: dict[Role, str] = {
    "id": ":ID",
    "start": ":START_ID",
    "end": ":END_ID",
    "type": ":TYPE",
    "label": ":LABEL",
}
