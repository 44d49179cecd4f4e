"""STaRK's files of questions: a table of questions with the ids of their answers, and splits.

Source: "STaRK: Benchmarking LLM Retrieval on Textual and Relational Knowledge Bases" (2024). A
folder has `stark_qa/stark_qa.csv` with the columns `id`, `query` and `answer_ids`, and
`split/NAME.index` with an id on each line; questions that people wrote are a table of their own.
"""

from __future__ import annotations

import ast
import csv
from collections.abc import Iterator, Mapping
from pathlib import Path

from trellis.domain.errors import FileFormatError
from trellis.graph.loading.files import open_text, read_lines
from trellis.questions.row import QuestionRow

_COLUMNS = ("id", "query", "answer_ids")
_REMEDY = "a table has the columns id, query and answer_ids, such as `7,Who?,[12]`"
_INDEX = ".index"


def is_stark_file(path: Path) -> bool:
    """Whether a file is a table of questions, by its name."""
    return path.name.removesuffix(".gz").endswith(".csv")


def iterate_stark_rows(path: Path, split: str | None = None) -> Iterator[QuestionRow]:
    """The questions of a table, or those of a split in its order; FileFormatError names the file,
    and the line or the id of what cannot be used."""
    own = None if split is None else path.with_name(f"{path.stem}_{split}{path.suffix}")
    if split is None or (own and own.exists()):
        yield from _read_table(own or path)
        return
    index = _find_index(path, split)
    rows = {row.id: row for row in _read_table(path)}
    for number, text in read_lines(index):
        if text.strip() not in rows:
            raise FileFormatError(
                f"{index}:{number}: {path.name} has no question {text.strip()!r}",
                "take table and split from one folder",
            )
        yield rows[text.strip()]


def _find_index(path: Path, split: str) -> Path:
    """The file of a split, beside the table's folder or in it."""
    folders = (path.parent.parent / "split", path.parent / "split")
    found = [folder / f"{split}{_INDEX}" for folder in folders]
    for index in found:
        if index.is_file():
            return index
    known = sorted({each.stem for folder in folders for each in folder.glob(f"*{_INDEX}")})
    raise FileFormatError(
        f"{path} has no split {split!r}: there is no {found[0]}",
        f"there are {', '.join(known)}" if known else "copy STaRK's folder `split` beside it",
    )


def _read_table(path: Path) -> Iterator[QuestionRow]:
    with open_text(path, newline="") as text:
        reader = csv.DictReader(text)
        try:
            if missing := [name for name in _COLUMNS if name not in (reader.fieldnames or ())]:
                raise FileFormatError(f"{path}:1: no column {missing[0]}", _REMEDY)
            for row in reader:
                yield _parse_row(row, f"{path}:{reader.line_num}")
        except csv.Error as error:
            raise FileFormatError(f"{path}:{reader.line_num}: {error}", _REMEDY) from error


def _parse_row(row: Mapping[str, str | None], where: str) -> QuestionRow:
    id_, query, answers = (row[name] or "" for name in _COLUMNS)
    if not (id_ and query.strip()):
        raise FileFormatError(f"{where}: no {'query' if id_ else 'id'}", _REMEDY)
    try:
        ids = ast.literal_eval(answers)
    except (ValueError, SyntaxError, MemoryError, RecursionError) as error:
        raise FileFormatError(f"{where}: answer_ids is no list", _REMEDY) from error
    if not isinstance(ids, list) or not all(isinstance(each, int | str) for each in ids):
        raise FileFormatError(f"{where}: answer_ids should be a list of ids", _REMEDY)
    return QuestionRow(id_, query, answer_ids=tuple(dict.fromkeys(map(str, ids))))
