"""Tables of answers: an answer's rows as people read them, and as a table of Markdown.

Numbers are grouped, long texts and lists are cut, and where rows are left out, their number is
told.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from trellis.wire.bodies import ReplyBody
from trellis.wire.cells import JsonCell, write_cell

_LONGEST_TEXT = 200
_MOST_PARTS = 10  # of a list
_PLAIN_NUMBERS = re.compile(r"\b(?:year|id|code|number plate|zip|postcode)\b", re.IGNORECASE)
_DECIMALS = 2
_BETWEEN_CELLS = re.compile(r"(?<!\\)\|")  # a space stands before each that is no text
_ESCAPED = re.compile(r"\\(.)")


@dataclass(frozen=True, slots=True)
class AnswerTable:
    """Rows of an answer that says several things of each of its parts; `row_count`: how many rows
    there would be without a limit, as far as that is known."""

    columns: Sequence[str]
    rows: Sequence[Sequence[JsonCell]]
    row_count: int

    @classmethod
    def of(cls, reply: ReplyBody) -> AnswerTable | None:
        """The table of an answer; None where it claims nothing, or says one thing of each."""
        columns, rows = reply.columns or [], reply.rows or []
        if reply.abstained or reply.verdict or len(columns) < 2 or not rows:
            return None
        is_one_each = len(rows) == len(reply.answers)
        return cls(columns, rows, reply.total if is_one_each and reply.total else len(rows))

    def write_rows(self, most: int) -> list[list[str]]:
        """The first rows as people read them."""
        return [
            [write_readable_cell(cell, name) for cell, name in zip(row, self.columns, strict=True)]
            for row in self.rows[:most]
        ]

    def is_number_column(self, place: int) -> bool:
        """Whether a column has numbers, and nothing else but nulls."""
        cells = [row[place] for row in self.rows if row[place] is not None]
        return bool(cells) and all(map(_is_number, cells))


def tell_cut(shown: int, total: int) -> str:
    """`20 of 193 shown`; empty where all are."""
    return f"{shown:,} of {total:,} shown" if shown < total else ""


def count_answers(reply: ReplyBody) -> int:
    """How many answers there are, whatever a limit left out."""
    return max(reply.total or 0, len(reply.answers))


def write_readable_cell(cell: JsonCell, column: str = "") -> str:
    """A cell on one line: numbers grouped unless they are years and the like, long texts cut."""
    if _is_number(cell):
        return _write_number(cell, is_plain=bool(_PLAIN_NUMBERS.search(column)))
    if isinstance(cell, list):
        more = len(cell) - _MOST_PARTS
        parts = [write_readable_cell(part, column) for part in cell[:_MOST_PARTS]]
        return cut_text(", ".join([*parts, *([f"and {more:,} more"] if more > 0 else [])]))
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    return cut_text(write_cell(cell))


def cut_text(text: str) -> str:
    """A text on one line, cut where it is long."""
    line = " ".join(text[: 10 * _LONGEST_TEXT].split())
    return line if len(line) <= _LONGEST_TEXT else f"{line[: _LONGEST_TEXT - 1]}…"


def write_markdown_table(table: AnswerTable, most: int, marks: Sequence[str] = ()) -> str:
    """The first rows as a table of Markdown, numbers to the right; `marks`: behind the first cell
    of each row, such as footnotes."""
    columns = range(len(table.columns))
    rules = ["---:" if table.is_number_column(place) else "---" for place in columns]
    lines = [[_escape(cut_text(name)) for name in table.columns], rules]
    for place, row in enumerate(table.write_rows(most)):
        mark = marks[place] if place < len(marks) else ""
        first, *others = map(_escape, row)
        lines.append([f"{first}{mark}", *others])
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def read_markdown_names(lines: Sequence[str]) -> list[str]:
    """The first cells of a table that `write_markdown_table` wrote; empty where there is none."""
    rows = [line for line in lines if line.startswith("| ")]
    cells = [_BETWEEN_CELLS.split(row)[1].strip() for row in rows[2:]]
    return [_ESCAPED.sub(r"\1", cell) for cell in cells]


def _escape(text: str) -> str:
    return text.replace("\\", "\\\\").replace("|", "\\|")


def _is_number(cell: JsonCell) -> bool:
    return isinstance(cell, int | float) and not isinstance(cell, bool)


def _write_number(number: int | float, is_plain: bool) -> str:
    if is_plain:
        return write_cell(number)
    if isinstance(number, int) or number.is_integer():
        return f"{int(number):,}"
    if abs(number) >= 1:
        return f"{number:,.{_DECIMALS}f}".rstrip("0").rstrip(".")
    return f"{number:.3g}"
