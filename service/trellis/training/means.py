"""What training is done with: the graph, its ports, and the models beside the one that learns."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from trellis.domain.graphs.links import Mention
from trellis.domain.models.card import TaskSettings
from trellis.domain.ports import Embedder, Graph, LanguageModel, Queries
from trellis.graph.database.progress import Progress, ignore_progress
from trellis.questions.row import QuestionRow

LinkMentions = Callable[[str, Collection[str]], Awaitable[tuple[Mention, ...]]]
"""Links a question, given the words that are the questions' own."""


async def find_no_writer() -> LanguageModel | None:
    """For training where no model that writes queries is set."""
    return None


@dataclass(frozen=True, slots=True)
class TrainingContext:
    """The parts of an app that lessons are made with.

    `find_writer`: loads the model that writes queries, where one is set. `cache`: the folder that
    converted bases are kept in. `examples`: the example questions of the graph's configuration.
    `templates`: its prompts' own. `general_settings`: by task, those of a model that belongs to no
    graph.
    """

    graph: Graph
    queries: Queries
    embedder: Embedder
    link_mentions: LinkMentions
    cache: Path
    find_writer: Callable[[], Awaitable[LanguageModel | None]] = find_no_writer
    report: Progress = ignore_progress
    examples: tuple[QuestionRow, ...] = ()
    templates: Mapping[str, str] = field(default_factory=dict)
    general_settings: Mapping[str, TaskSettings] = field(default_factory=dict)
