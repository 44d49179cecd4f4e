"""Suites: questions in JSON lines, gzipped or not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError, field_validator

from trellis.domain.errors import FileFormatError
from trellis.graph.loading.files import lines


class Gold(BaseModel):
    """One question of a suite, with as much gold as is known."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    id: str
    question: str
    topics: tuple[str, ...] | None = None
    answers: tuple[str, ...] | None = None
    cypher: str | None = None

    @field_validator("id", mode="before")
    @classmethod
    def _as_text(cls, value: object) -> object:
        return str(value) if isinstance(value, int) else value

    @field_validator("answers", mode="before")
    @classmethod
    def _names(cls, value: object) -> object:
        return [str(one) for one in value] if isinstance(value, list) else value


def read_suite(path: Path, limit: int | None = None) -> list[Gold]:
    """The first `limit` questions of a file; FileFormatError names the file and the line."""
    questions: list[Gold] = []
    for number, line in lines(path):
        if limit is not None and len(questions) == limit:
            break
        questions.append(_question(path, number, line))
    _unique(path, questions)
    return questions


def _question(path: Path, number: int, line: str) -> Gold:
    remedy = 'a line is {"id": …, "question": …, "topics"?: […], "answers"?: […]}'
    try:
        body: Any = json.loads(line)
        return Gold.model_validate(body)
    except json.JSONDecodeError as error:
        raise FileFormatError(f"{path}:{number}: not JSON: {error.msg}", remedy) from error
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"])) or "the line"
        raise FileFormatError(f"{path}:{number}: {where}: {first['msg']}", remedy) from error


def _unique(path: Path, questions: list[Gold]) -> None:
    seen: set[str] = set()
    for question in questions:
        if question.id in seen:
            raise FileFormatError(
                f"{path}: id {question.id!r} occurs twice", "give each its own id"
            )
        seen.add(question.id)
