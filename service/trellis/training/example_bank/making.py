"""Makes the examples of a task, as a lesson of training has them; those of a judged answer by the
query that would have been right."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from trellis.automata.cypher.options import Rendering
from trellis.domain.errors import (
    GraphTimeoutError,
    QueryError,
    QuerySyntaxError,
    RefusedQueryError,
    TrainingError,
)
from trellis.domain.graphs.graph import Node
from trellis.domain.models.prompt import PromptExample
from trellis.domain.ports import Queries
from trellis.domain.structures.cypher import CypherQuery, Rows, write_value
from trellis.linking.text import name_key
from trellis.questions.judged import JudgedQuestion
from trellis.questions.row import QuestionRow
from trellis.training.contract import LessonRequest, TrainingTask
from trellis.training.example_bank.files import Examples
from trellis.training.means import TrainingContext
from trellis.training.options import TrainingOptions

MADE = 1_500
"""Examples of a task that are made of the schema."""


@dataclass(frozen=True, slots=True)
class ExampleMaker:
    """Makes examples of a live graph. `folder`: for what lessons keep. `rendering`: of queries."""

    means: TrainingContext
    folder: Path
    rendering: Rendering

    async def make_of_judged(self, task: TrainingTask[Any], judged: JudgedQuestion) -> Examples:
        """The examples of a judged question. Where only answers are known, a query is one that the
        model thought of; what is learnt as paths is explained by these."""
        row = judged.row
        if "cypher" in task.gold and not (row.cypher or row.paths):
            query = await find_confirmed_query(self.means.queries, judged)
            if query is None and "paths" not in task.gold:
                return ()
            if query is not None:
                row = replace(row, cypher=query.text, params=dict(query.params))
        return await self.make_examples(task, (row,))

    async def make_examples(
        self, task: TrainingTask[Any], questions: Sequence[QuestionRow] | None
    ) -> Examples:
        """The examples of given questions, or of the graph alone (None); none where nothing is to
        be learnt from them."""
        schema = await self.means.graph.schema()
        options = TrainingOptions(out=self.folder, limit=MADE, rendering=self.rendering)
        request = LessonRequest(schema, questions, self.means, options, adds_made=False)
        try:
            lesson = await task.make_lesson(request)
        except TrainingError:
            return ()
        made = (PromptExample(each.prompt, each.segments) for each in lesson.examples)
        return tuple(dict.fromkeys(made))


async def find_confirmed_query(queries: Queries, judged: JudgedQuestion) -> CypherQuery | None:
    """The likeliest candidate that gives exactly the right answers; None where none does.

    Names alone do not tell which query was meant: many give the same ones. One that the model
    thought of, and that gives them, is another matter.
    """
    wanted = set(map(name_key, judged.row.known_answers))
    for candidate in judged.candidates if wanted else ():
        rows = await _run_query(queries, candidate)
        if rows and not rows.cut and any(wanted == names for names in _list_columns(rows)):
            return candidate
    return None


async def _run_query(queries: Queries, query: CypherQuery) -> Rows | None:
    """The rows of a query; None where it does not run any more."""
    try:
        return await queries.run(query)
    except (RefusedQueryError, QueryError, QuerySyntaxError, GraphTimeoutError):
        return None


def _list_columns(rows: Rows) -> Iterator[set[str]]:
    """The names in each column."""
    for column in zip(*rows.rows, strict=True):
        names = (cell.name if isinstance(cell, Node) else write_value(cell) for cell in column)
        yield set(map(name_key, names))
