"""The example questions of a graph's configuration, as rows of a question file."""

from __future__ import annotations

from collections.abc import Iterable

from trellis.domain.graphs.graph import Step
from trellis.domain.graphs.graph_config import ExamplePath, ExampleQuestion
from trellis.questions.row import GoldPath, QuestionRow


def list_example_rows(examples: Iterable[ExampleQuestion]) -> tuple[QuestionRow, ...]:
    """A row for each example; its id is its number, from 1."""
    return tuple(_build_row(number, example) for number, example in enumerate(examples, 1))


def _build_row(number: int, example: ExampleQuestion) -> QuestionRow:
    return QuestionRow(
        str(number),
        example.question,
        topics=example.topics,
        answers=example.answers,
        cypher=example.cypher or "",
        paths=tuple(map(_build_path, example.paths)),
    )


def _build_path(path: ExamplePath) -> GoldPath:
    return GoldPath(path.topic, tuple(map(Step.parse, path.relations)))
