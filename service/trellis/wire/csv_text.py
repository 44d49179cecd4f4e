"""An answer's rows as CSV (RFC 4180), safe to open in a spreadsheet.

A text that a spreadsheet would take for a formula gets an apostrophe before it; numbers stay
numbers.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

from trellis.wire.bodies import ReplyBody
from trellis.wire.cells import JsonCell, write_cell

MEDIA_TYPE = "text/csv"

_FORMULA_MARKS = ("=", "+", "-", "@", "\t", "\r", "\n")


def write_csv(reply: ReplyBody) -> str:
    """The rows that a reply holds under their names; of a reply without rows its answers, under
    `answer`. Without answers the names alone."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    columns, rows = _read_table(reply)
    writer.writerow(map(_neutralise, columns))
    writer.writerows(map(_write_row, rows))
    return out.getvalue()


def _read_table(reply: ReplyBody) -> tuple[Sequence[str], Iterable[Sequence[JsonCell]]]:
    if reply.columns and reply.rows is not None:
        return reply.columns, reply.rows
    return ["answer"], ([answer.name] for answer in reply.answers)


def _write_row(row: Sequence[JsonCell]) -> list[str]:
    return [_write_cell(cell) for cell in row]


def _write_cell(cell: JsonCell) -> str:
    text = write_cell(cell)
    return text if isinstance(cell, int | float) else _neutralise(text)


def _neutralise(text: str) -> str:
    return f"'{text}" if text.startswith(_FORMULA_MARKS) else text
