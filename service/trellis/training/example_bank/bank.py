"""The bank of a graph's examples: the user's own first, then those that are made from the schema.

What is made is kept on disk by the schema; what the user gave is kept apart from it, so that a
judged answer changes only that.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trellis.automata.cypher.options import Rendering
from trellis.domain.graphs.schema import Schema
from trellis.domain.models.prompt import Prompt, PromptExample
from trellis.questions.row import QuestionRow
from trellis.training.contract import TrainingTask
from trellis.training.example_bank import making
from trellis.training.example_bank.files import build_key, read_parts, write_parts
from trellis.training.example_bank.making import ExampleMaker
from trellis.training.example_bank.own import (
    EmbeddedExamples,
    ListJudged,
    OwnExamples,
    embed_parts,
    list_none_judged,
)
from trellis.training.means import TrainingContext
from trellis.training.registry import TRAINING_TASKS

_OWN_BONUS = 0.15  # of likeness, for an example of the user's own


class GraphExampleBank:
    """ExampleBank port over what training makes of a live graph.

    `means`: the parts that lessons are made with. `own`: the user's own questions. `folder`: where
    what is made is kept.
    """

    def __init__(
        self,
        means: TrainingContext,
        own: Sequence[QuestionRow],
        folder: Path,
        rendering: Rendering = "brief",
        list_judged: ListJudged = list_none_judged,
    ) -> None:
        """`rendering`: of queries. `list_judged`: lists the questions of judged answers, newest
        first."""
        self._maker = ExampleMaker(means, folder, rendering)
        self._own = OwnExamples(self._maker, own, list_judged)
        self._made: dict[tuple[str, str], EmbeddedExamples] = {}
        self._turn = asyncio.Lock()

    async def find_examples(self, prompt: Prompt, count: int) -> Sequence[PromptExample]:
        """The nearest examples of the prompt's task; none where the graph teaches none."""
        task = TRAINING_TASKS.get(prompt.task)
        if task is None or task.needs_questions or count < 1:
            return ()
        schema = await self._maker.means.graph.schema()
        async with self._turn:
            own = await self._own.list_parts(task, schema)
            made = await self._find_made(task, schema)
        embed = self._maker.means.embedder.embed
        [vector] = await asyncio.to_thread(embed, [prompt.question])
        return _find_nearest(own, made, prompt, vector, count)

    async def _find_made(self, task: TrainingTask[Any], schema: Schema) -> EmbeddedExamples:
        key = task.name, schema.fingerprint
        if key not in self._made:
            self._made = {kept: v for kept, v in self._made.items() if kept[1] == key[1]}
            self._made[key] = await self._read_or_make(task, schema)
        return self._made[key]

    async def _read_or_make(self, task: TrainingTask[Any], schema: Schema) -> EmbeddedExamples:
        maker = self._maker
        key = build_key(making.MADE, maker.rendering, schema.fingerprint)
        path = maker.folder / f"{task.name}-{key}.json"
        parts = await asyncio.to_thread(read_parts, path)
        if key not in parts:
            parts = {key: await maker.make_examples(task, None)}
            await asyncio.to_thread(write_parts, path, parts)
        [examples] = (await embed_parts(maker.means.embedder, parts)).values()
        return examples


def _find_nearest(
    own: Sequence[EmbeddedExamples],
    made: EmbeddedExamples,
    prompt: Prompt,
    vector: NDArray[np.float32],
    count: int,
) -> list[PromptExample]:
    """The nearest to a question's vector, and no two of one sentence; only those that ask in the
    form of `prompt`."""
    examples = [each for part in (*own, made) for each in part.examples]
    of_own = (part.measure_likeness(vector) + _OWN_BONUS for part in own)
    likeness = np.concatenate([*of_own, made.measure_likeness(vector)])
    nearest: dict[tuple[str, ...], PromptExample] = {}
    for index in np.argsort(-likeness, kind="stable"):
        example = examples[int(index)]
        if _find_form(example.prompt) == _find_form(prompt):
            nearest.setdefault(example.segments, example)
        if len(nearest) == count:
            break
    return list(nearest.values())


def _find_form(prompt: Prompt) -> tuple[str, ...]:
    """How a prompt asks: a claim is asked otherwise than a question, and its sentence differs."""
    return prompt.cue, *(title for title, _ in prompt.sections)
