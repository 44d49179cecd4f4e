"""Makes the examples of a task, as a lesson of training has them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from trellis.automata.cypher.options import Rendering
from trellis.domain.errors import TrainingError
from trellis.domain.prompt import PromptExample
from trellis.questions.judged import JudgedQuestion
from trellis.questions.row import QuestionRow
from trellis.training.contract import LessonRequest, TrainingTask
from trellis.training.example_bank.corrections import find_confirmed_query
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
