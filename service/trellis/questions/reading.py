"""From question files to rows."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, ValidationError, model_validator

from trellis.domain.errors import FileFormatError
from trellis.domain.graphs.graph import Step
from trellis.graph.loading.files import read_lines
from trellis.questions.row import GoldPath, Label, QuestionRow
from trellis.questions.stark import is_stark_file, iterate_stark_rows

_REMEDY = (
    'a line is {"id", "question" or "claim", "topics"?: […], "answers"?: […], "cypher"?, '
    '"paths"?: [{"topic", "relations": […]}], "label"?}'
)
_GOLD_REMEDY = 'a line is {"id", "question"?, "cypher"?, "params"?: {…}, "features"?: […]}'


def read_questions(files: Sequence[Path]) -> list[QuestionRow]:
    """All rows of some files; FileFormatError names the file and the line of a bad one."""
    return [row for file in files for row in iterate_rows(file)]


def iterate_rows(file: Path, split: str | None = None) -> Iterator[QuestionRow]:
    """The rows of a file, or of a split of it, read as they are asked for; raises FileFormatError.

    A `.csv` file is one of STaRK's, others are JSON lines, which have no splits.
    """
    if is_stark_file(file):
        yield from iterate_stark_rows(file, split)
        return
    if split is not None:
        raise FileFormatError(f"{file} has no splits", "only STaRK's stark_qa.csv has some")
    for number, line in read_lines(file):
        yield _read_row(_AskedRow, f"{file}:{number}", line, _REMEDY)


def iterate_gold_queries(file: Path) -> Iterator[QuestionRow]:
    """The rows of a file that have a gold query, with or without a question; raises
    FileFormatError."""
    for number, line in read_lines(file):
        row = _read_row(_Row, f"{file}:{number}", line, _GOLD_REMEDY)
        if row.cypher.strip():
            yield row


def parse_row(body: Mapping[str, Any]) -> QuestionRow:
    """The row that a line says; ValueError where it says none."""
    return _AskedRow.model_validate(body).as_row()


def _read_row(kind: type[_Row], where: str, line: str, remedy: str) -> QuestionRow:
    try:
        body: Any = json.loads(line)
        return kind.model_validate(body).as_row()
    except json.JSONDecodeError as error:
        raise FileFormatError(f"{where}: not JSON: {error.msg}", remedy) from error
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(map(str, first["loc"])) or "the line"
        raise FileFormatError(f"{where}: {field}: {first['msg']}", remedy) from error


def _as_text(value: object) -> object:
    """Numbers stand for their text."""
    return str(value) if isinstance(value, int | float) else value


_Text = Annotated[str, BeforeValidator(_as_text)]


class _Path(BaseModel):
    topic: str
    relations: tuple[str, ...]

    def as_path(self) -> GoldPath:
        return GoldPath(self.topic, tuple(map(Step.parse, self.relations)))


class _Row(BaseModel):
    """A line as it stands in a file."""

    model_config = ConfigDict(extra="ignore")

    id: _Text = ""
    question: str | None = None
    claim: str | None = None
    topics: tuple[str, ...] | None = None
    answers: tuple[_Text, ...] | None = None
    cypher: str | None = None
    paths: tuple[_Path, ...] | None = None
    label: Label | None = None
    params: dict[str, Any] | None = None
    features: tuple[str, ...] | None = None

    def as_row(self) -> QuestionRow:
        return QuestionRow(
            id=self.id,
            question=self.question or "",
            claim=self.claim or "",
            topics=self.topics or (),
            answers=self.answers,
            cypher=self.cypher or "",
            paths=tuple(path.as_path() for path in self.paths or ()),
            label=self.label,
            params=self.params or {},
            features=self.features or (),
        )


class _AskedRow(_Row):
    """A line that asks or claims something."""

    @model_validator(mode="after")
    def _is_question_or_claim(self) -> _AskedRow:
        if (self.question is None) == (self.claim is None):
            raise ValueError("a row has a question or a claim, and not both")
        return self
