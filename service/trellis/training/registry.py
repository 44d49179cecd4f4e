"""The tasks that can be trained: one line for each. Nothing else tests their names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from trellis.domain.errors import TrainingError, UnknownTaskError
from trellis.training.contract import TrainingTask
from trellis.training.tasks.assertion import ASSERTION
from trellis.training.tasks.chain import CHAIN
from trellis.training.tasks.cypher import CYPHER
from trellis.training.tasks.guidance import GUIDANCE
from trellis.training.tasks.path import PATH
from trellis.training.tasks.pattern import PATTERN
from trellis.training.tasks.rank import RANK
from trellis.training.tasks.schema_graph import SCHEMA_GRAPH

TRAINING_TASKS: Mapping[str, TrainingTask[Any]] = {
    task.name: task
    for task in (PATH, CYPHER, RANK, PATTERN, CHAIN, ASSERTION, SCHEMA_GRAPH, GUIDANCE)
}
"""All tasks by name, in the order in which a model's card names them."""

_OF_READERS = (PATH, CYPHER)

ALL = "all"
"""Names every task; without questions, every one that the graph alone can teach."""


def check_tasks(names: Sequence[str]) -> None:
    """UnknownTaskError where a name is no task's."""
    unknown = [name for name in names if name not in (*TRAINING_TASKS, ALL)]
    if unknown or not names:
        said = (
            f"there is no task {', '.join(map(repr, unknown))}" if unknown else "no task is named"
        )
        raise UnknownTaskError(said, f"name some of: {', '.join(TRAINING_TASKS)}; or {ALL}")


def find_tasks(names: Sequence[str], *, has_questions: bool) -> list[TrainingTask[Any]]:
    """The tasks of these names, each once; UnknownTaskError where one is none's."""
    check_tasks(names)
    if ALL in names:
        every = TRAINING_TASKS.values()
        return [task for task in every if has_questions or not task.needs_questions]
    return [TRAINING_TASKS[name] for name in dict.fromkeys(names)]


def keep_reader_tasks(
    tasks: Sequence[TrainingTask[Any]], *, is_all: bool
) -> list[TrainingTask[Any]]:
    """Those of some tasks that a reader learns; TrainingError where another one was named."""
    others = [task.name for task in tasks if task not in _OF_READERS]
    if others and not is_all:
        raise TrainingError(
            f"a reader learns no task {', '.join(map(repr, others))}: it learns paths and queries",
            f"name {' and '.join(task.name for task in _OF_READERS)}, or another --base",
        )
    return [task for task in tasks if task in _OF_READERS]
