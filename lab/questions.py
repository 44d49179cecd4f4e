"""The questions of a suite, each with its kind and the chain that it belongs to."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from lab.plan import Suite, find_path
from trellis.graph.loading.files import read_lines
from trellis.questions.reading import parse_row
from trellis.questions.row import QuestionRow

NO_ANSWER = "no answer"
_HOPS = ("no relationship", "1 relationship", "2 relationships", "3 or more")
_OPERATORS = (
    ("negation", re.compile(r"\bNOT\b(?!\s+NULL)", re.IGNORECASE)),
    ("superlative", re.compile(r"\bORDER BY\b|\b(max|min)\(", re.IGNORECASE)),
    ("count", re.compile(r"\b(count|sum|avg)\s*[({]", re.IGNORECASE)),
    ("comparison", re.compile(r"(?<![-<])[<>]=?(?![-(])|\bOR\b|\bIN \[", re.IGNORECASE)),
)


@dataclass(frozen=True, slots=True)
class LabQuestion:
    """A question of a suite. `kind`: what its figures are counted by. `chain`: the id of the
    question that it was made of, or its own."""

    row: QuestionRow
    kind: str
    chain: str


def read_questions(suite: Suite) -> list[LabQuestion]:
    """Every question of a suite, or one of so many, at most `limit` of each file; FileFormatError
    and InputError as of question files."""
    return [
        question
        for named in suite.questions
        for question in islice(
            islice(_read_file(find_path(named)), 0, None, suite.every), suite.limit
        )
    ]


def _read_file(path: Path) -> Iterator[LabQuestion]:
    for _, line in read_lines(path):
        body: dict[str, Any] = json.loads(line)
        row = parse_row(body)
        yield LabQuestion(row, _choose_kind(row, body), str(body.get("chain") or row.id))


def _choose_kind(row: QuestionRow, body: dict[str, Any]) -> str:
    """The kind that the file names, else what the gold query or path has in it."""
    if row.answers == () and not row.cypher:
        return NO_ANSWER
    if body.get("kind"):
        return str(body["kind"])
    if row.cypher:
        return describe_query_kind(row.cypher)
    steps = max((len(path.steps) for path in row.paths), default=0)
    return f"{steps}-hop" if steps else "other"


def describe_query_kind(cypher: str) -> str:
    """`negation`, `superlative`, `count`, `comparison`, or how many relationships it follows."""
    bare = re.sub(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"", "''", cypher)
    for kind, pattern in _OPERATORS:
        if pattern.search(bare):
            return kind
    return _HOPS[min(len(re.findall(r"-\s*\[|--[>(]", bare)), 3)]
