"""The columns of an answer's row, and the way from a report's entry of a question to them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa

Record = Mapping[str, Any]
"""The entry of a question in a report, with what was asked and by which method."""

_TRIPLE = pa.struct([("head", pa.string()), ("relation", pa.string()), ("tail", pa.string())])

SCHEMA = pa.schema(
    [
        pa.field("id", pa.string(), nullable=False),
        ("question", pa.string()),
        ("claim", pa.string()),
        ("method", pa.string()),
        ("answers", pa.list_(pa.string())),
        ("scores", pa.list_(pa.float64())),
        ("ids", pa.list_(pa.string())),
        ("evidence", pa.list_(_TRIPLE)),
        ("cypher", pa.string()),
        ("params", pa.string()),
        ("verdict", pa.string()),
        ("count", pa.int64()),
        ("reading", pa.string()),
        ("confidence", pa.float64()),
        ("nearest", pa.list_(pa.string())),
        ("asked", pa.list_(pa.string())),
        ("notes", pa.list_(pa.string())),
        ("seconds", pa.float64()),
        ("error", pa.string()),
        ("error_kind", pa.string()),
    ]
)
"""The columns, which docs/batch.md describes. Later versions may add some at the end."""

_LISTS = ("answers", "scores", "ids", "evidence", "nearest", "asked", "notes")


def _write_tail(tail: Any) -> str:
    """A name, or the value of a property as text."""
    return tail if isinstance(tail, str) else json.dumps(tail, ensure_ascii=False)


def build_table(records: Sequence[Record]) -> pa.Table:
    """The rows of some records; texts that UTF-8 cannot hold are escaped."""
    return pa.Table.from_pylist([_build_row(record) for record in records], schema=SCHEMA)


def _build_row(record: Record) -> dict[str, Any]:
    row: dict[str, Any] = {name: record.get(name) for name in SCHEMA.names}
    row |= {name: record.get(name, []) for name in _LISTS}
    row["evidence"] = [
        {"head": head, "relation": relation, "tail": _write_tail(tail)}
        for head, relation, tail in row["evidence"]
    ]
    if row["params"] is not None:
        row["params"] = json.dumps(row["params"], ensure_ascii=False)
    return {name: _clean_texts(value) for name, value in row.items()}


def _clean_texts(value: Any) -> Any:
    """The value with half of a surrogate pair, which a question file can hold, as an escape."""
    if isinstance(value, str):
        return clean_text(value)
    if isinstance(value, list):
        return [_clean_texts(part) for part in value]
    if isinstance(value, dict):
        return {name: _clean_texts(part) for name, part in value.items()}
    return value


def clean_text(text: str) -> str:
    """The text as a Parquet file can hold it."""
    return text.encode("utf-8", "backslashreplace").decode()
