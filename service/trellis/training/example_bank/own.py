"""The user's own examples: of the graph's configuration, of files, and of judged answers.

Each judged answer is a part of its own, and so are all others together: another judgement costs
what is new in it.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trellis.domain.errors import TrellisError
from trellis.domain.graphs.schema import Schema
from trellis.domain.ports import Embedder
from trellis.questions.judged import JudgedQuestion
from trellis.questions.row import QuestionRow
from trellis.training.contract import TrainingTask
from trellis.training.example_bank.files import Examples, build_key, read_parts, write_parts
from trellis.training.example_bank.making import ExampleMaker
from trellis.training.graph_examples import select_examples

log = logging.getLogger(__name__)

Questions = tuple[QuestionRow, ...] | JudgedQuestion
ListJudged = Callable[[], Awaitable[Sequence[JudgedQuestion]]]

_MOST_NEW = 16  # parts that are made while one question waits; the others at the next questions


async def list_none_judged() -> Sequence[JudgedQuestion]:
    """For a graph of which nobody judges answers."""
    return ()


@dataclass(frozen=True, eq=False, slots=True)
class EmbeddedExamples:
    """Examples, and the vectors [n, d] of their masked questions."""

    examples: Examples = ()
    vectors: NDArray[np.float32] | None = None

    def measure_likeness(self, vector: NDArray[np.float32]) -> NDArray[np.float32]:
        """How like each question is to a vector: [n]."""
        if self.vectors is None:
            return np.empty(0, np.float32)
        likeness: NDArray[np.float32] = self.vectors @ vector
        return likeness


async def embed_parts(
    embedder: Embedder, parts: Mapping[str, Examples]
) -> dict[str, EmbeddedExamples]:
    """Some parts, embedded together."""
    questions = [each.prompt.question for part in parts.values() for each in part]
    if not questions:
        return dict.fromkeys(parts, EmbeddedExamples())
    vectors = await asyncio.to_thread(embedder.embed, questions)
    embedded, at = {}, 0
    for key, part in parts.items():
        own = vectors[at : at + len(part)] if part else None
        embedded[key] = EmbeddedExamples(part, own)
        at += len(part)
    return embedded


class OwnExamples:
    """The user's own examples, by task.

    `given`: questions of the configuration and of files. `list_judged`: those of judged answers,
    newest first.
    """

    def __init__(
        self, maker: ExampleMaker, given: Sequence[QuestionRow], list_judged: ListJudged
    ) -> None:
        self._maker = maker
        self._given = tuple(given)
        self._list_judged = list_judged
        self._known: dict[str, dict[str, EmbeddedExamples]] = {}
        self._failed: set[str] = set()

    async def list_parts(
        self, task: TrainingTask[Any], schema: Schema
    ) -> Sequence[EmbeddedExamples]:
        """The parts of a task, the judged answers first; what is new is made, and kept."""
        made_for = build_key(task.name, schema.fingerprint, self._maker.rendering)
        groups = {build_key(made_for, it): it for it in await self._list_groups(task, schema)}
        before = self._known.get(task.name, {})
        known = {key: before[key] for key in groups if key in before}
        had = known.keys() | self._failed
        missing = {key: group for key, group in groups.items() if key not in had}
        if missing:
            path = self._maker.folder / f"own-{task.name}-{made_for}.json"
            known |= await self._read_or_make(task, missing, known, path)
        self._known[task.name] = known
        return [known[key] for key in groups if key in known]

    async def _read_or_make(
        self,
        task: TrainingTask[Any],
        missing: Mapping[str, Questions],
        known: Mapping[str, EmbeddedExamples],
        path: Path,
    ) -> dict[str, EmbeddedExamples]:
        """The missing parts: those that a file keeps, and some new ones, which it keeps then."""
        kept = await asyncio.to_thread(read_parts, path)
        parts = {key: kept[key] for key in missing if key in kept}
        new = [key for key in missing if key not in kept][:_MOST_NEW]
        for key in new:
            await self._add_made(parts, key, task, missing[key])
        if new:
            lasting = {key: part.examples for key, part in known.items()} | parts
            await asyncio.to_thread(write_parts, path, lasting)
        return await embed_parts(self._maker.means.embedder, parts)

    async def _add_made(
        self, parts: dict[str, Examples], key: str, task: TrainingTask[Any], questions: Questions
    ) -> None:
        """Make a part; one that fails is left out, and not tried again before the next start."""
        try:
            if isinstance(questions, JudgedQuestion):
                parts[key] = await self._maker.make_of_judged(task, questions)
            else:
                parts[key] = await self._maker.make_examples(task, questions)
        except TrellisError as error:
            log.warning("questions are no examples of %s: %s", task.name, error)
            self._failed.add(key)

    async def _list_groups(self, task: TrainingTask[Any], schema: Schema) -> list[Questions]:
        """What parts are made of: what the task learns from, and goes along relationships that the
        graph has."""
        types = {kind.type for kind in schema.relationships}
        given = tuple(select_examples(self._given, task.gold))
        groups: list[Questions] = [
            judged
            for judged in await self._list_judged()
            if select_examples([judged.row], task.gold) and _has_paths_within(judged.row, types)
        ]
        return [*groups, given] if given else groups


def _has_paths_within(row: QuestionRow, types: Collection[str]) -> bool:
    """Whether it is a question whose paths go along some types."""
    steps = (step for path in row.paths for step in path.steps)
    return not row.claim and all(step.relation in types for step in steps)
