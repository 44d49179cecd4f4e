"""Suites: the questions or gold queries of a file, each with an id of its own."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from pathlib import Path

from trellis.domain.errors import FileFormatError
from trellis.questions.reading import iterate_gold_queries, iterate_rows
from trellis.questions.row import QuestionRow


def read_suite(path: Path, limit: int | None = None, split: str | None = None) -> list[QuestionRow]:
    """The first `limit` questions and claims of a file, or of a split of it; FileFormatError names
    the file, and the line or the id of a row that cannot be used."""
    questions = list(islice(iterate_rows(path, split), limit))
    _check_ids(path, questions)
    return questions


def read_gold_queries(path: Path) -> list[QuestionRow]:
    """The rows of a file that have a gold query; FileFormatError names the file, and the line or
    the id of a row that cannot be used."""
    rows = list(iterate_gold_queries(path))
    if not rows:
        raise FileFormatError(f'{path} has no row with "cypher"', "give rows with gold queries")
    _check_ids(path, rows)
    return rows


def _check_ids(path: Path, questions: Sequence[QuestionRow]) -> None:
    seen: set[str] = set()
    for question in questions:
        if not question.id:
            raise FileFormatError(
                f"{path}: {question.question or question.claim or question.cypher!r} has no id",
                "give each its own id",
            )
        if question.id in seen:
            raise FileFormatError(
                f"{path}: id {question.id!r} occurs twice", "give each its own id"
            )
        seen.add(question.id)
