"""The bank of a graph's examples, which prompts of general models show.

The user's own come first: examples of the graph's configuration, and files of questions. The others
are made from the live schema, as for training. What is made is kept on disk by the schema and by
what it was made of, and made again when either changes.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trellis.automata.cypher.options import Rendering
from trellis.domain.errors import TrainingError
from trellis.domain.prompt import NamedMention, Prompt, PromptExample
from trellis.models.folder import write_text
from trellis.questions.row import QuestionRow
from trellis.training.contract import LessonRequest
from trellis.training.examples import Example
from trellis.training.graph_examples import LEAST_REPEATED, select_examples
from trellis.training.means import TrainingMeans
from trellis.training.options import TrainingOptions
from trellis.training.registry import TRAINING_TASKS

MADE = 1_500
"""Examples of a task that are made."""

_VERSION = 1  # of what is kept on disk
_OWN_BONUS = 0.15  # of likeness, for an example of the user's own


@dataclass(frozen=True, eq=False, slots=True)
class TaskExamples:
    """The examples of a task; `own`: how many of them, the first ones, are the user's own.

    `vectors` [n, d]: of their masked questions.
    """

    examples: tuple[PromptExample, ...]
    own: int
    vectors: NDArray[np.float32]

    def find_nearest(
        self, prompt: Prompt, vector: NDArray[np.float32], count: int
    ) -> list[PromptExample]:
        """The nearest to a question's vector, and no two of one sentence; only those that ask in
        the form of `prompt`."""
        likeness = self.vectors @ vector
        likeness[: self.own] += _OWN_BONUS
        nearest: dict[tuple[str, ...], PromptExample] = {}
        for index in np.argsort(-likeness, kind="stable"):
            example = self.examples[int(index)]
            if _find_form(example.prompt) == _find_form(prompt):
                nearest.setdefault(example.segments, example)
            if len(nearest) == count:
                break
        return list(nearest.values())


class GraphExampleBank:
    """ExampleBank port over what training makes of a live graph.

    `means`: the parts that lessons are made with. `own`: the user's own questions. `folder`: where
    what is made is kept.
    """

    def __init__(
        self,
        means: TrainingMeans,
        own: Sequence[QuestionRow],
        folder: Path,
        rendering: Rendering = "brief",
    ) -> None:
        """`rendering`: of queries."""
        self._means = means
        self._own = tuple(own)
        self._folder = folder
        self._rendering: Rendering = rendering
        self._known: dict[tuple[str, str], TaskExamples] = {}
        self._turn = asyncio.Lock()

    async def find_examples(self, prompt: Prompt, count: int) -> Sequence[PromptExample]:
        """The nearest examples of the prompt's task; none where the graph teaches none."""
        if prompt.task not in TRAINING_TASKS or count < 1:
            return ()
        listed = await self._list_examples(prompt.task)
        if not listed.examples:
            return ()
        embed = self._means.embedder.embed
        [vector] = await asyncio.to_thread(embed, [prompt.question])
        return listed.find_nearest(prompt, vector, count)

    async def _list_examples(self, task: str) -> TaskExamples:
        schema = await self._means.graph.schema()
        async with self._turn:
            key = task, schema.fingerprint
            if key not in self._known:
                self._known = {kept: v for kept, v in self._known.items() if kept[1] == key[1]}
                self._known[key] = await self._read_or_make(task, schema.fingerprint)
            return self._known[key]

    async def _read_or_make(self, task: str, fingerprint: str) -> TaskExamples:
        own = select_examples(self._own, TRAINING_TASKS[task].gold)
        name = _name_file(task, fingerprint, self._rendering, own)
        path = self._folder / f"{name}.json"
        kept = await asyncio.to_thread(_read_examples, path)
        if kept is None:
            kept = await self._make_examples(task, own)
            await asyncio.to_thread(_write_examples, path, *kept)
        examples, count = kept
        questions = [example.prompt.question for example in examples]
        vectors = await asyncio.to_thread(self._means.embedder.embed, questions or [""])
        return TaskExamples(tuple(examples), count, vectors[: len(examples)])

    async def _make_examples(
        self, task: str, own: Sequence[QuestionRow]
    ) -> tuple[list[PromptExample], int]:
        """The examples of a task, the user's own first, and how many these are.

        A lesson repeats what the user gave: that is how it is known there.
        """
        schema = await self._means.graph.schema()
        options = TrainingOptions(out=self._folder, limit=MADE, rendering=self._rendering)
        request = LessonRequest(schema, None, self._means, options, examples=own)
        try:
            lesson = await TRAINING_TASKS[task].make_lesson(request)
        except TrainingError:
            return [], 0
        counts = Counter(_as_example(each) for each in lesson.examples)
        mine = [each for each, times in counts.items() if own and times >= LEAST_REPEATED]
        others = [each for each in counts if each not in set(mine)]
        return [*mine, *others], len(mine)


def _find_form(prompt: Prompt) -> tuple[str, ...]:
    """How a prompt asks: a claim is asked otherwise than a question, and its sentence differs."""
    return prompt.cue, *(title for title, _ in prompt.sections)


def _as_example(example: Example) -> PromptExample:
    return PromptExample(example.prompt, example.segments)


def _name_file(
    task: str, fingerprint: str, rendering: Rendering, own: Sequence[QuestionRow]
) -> str:
    made_of = f"{_VERSION}\n{MADE}\n{rendering}\n{fingerprint}\n{own!r}"
    return f"{task}-{sha256(made_of.encode()).hexdigest()[:24]}"


def _read_examples(path: Path) -> tuple[list[PromptExample], int] | None:
    """What was kept; None where it is not there, or cannot be read."""
    try:
        body = json.loads(path.read_text("utf-8"))
        return [_read_example(each) for each in body["examples"]], int(body["own"])
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _read_example(body: Mapping[str, Any]) -> PromptExample:
    prompt = body["prompt"]
    mentions = tuple(
        NamedMention(each["name"], each["text"], tuple(each["kinds"]))
        for each in prompt["mentions"]
    )
    sections = tuple((title, text) for title, text in prompt["sections"])
    asked = Prompt(prompt["task"], prompt["question"], prompt["cue"], sections, mentions)
    return PromptExample(asked, tuple(body["segments"]))


def _write_examples(path: Path, examples: Sequence[PromptExample], own: int) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    body = {"own": own, "examples": [asdict(example) for example in examples]}
    write_text(path, json.dumps(body, ensure_ascii=False))
