"""What training is done with over a real Neo4j."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from memory_graph import TrigramEmbedder
from trellis.domain.graphs.links import Mention
from trellis.domain.ports import LanguageModel
from trellis.graph.database.connection import GraphConnection
from trellis.graph.database.progress import Progress, ignore_progress
from trellis.graph.gate import Limits, Neo4jQueries
from trellis.graph.neo4j_graph import Neo4jGraph
from trellis.training.means import TrainingContext
from trellis.training.options import TrainingOptions, TrainingOutcome
from trellis.training.runner import train_tasks


async def find_no_mentions(_: str, __: object) -> tuple[Mention, ...]:
    """A linker that finds nothing: the topics' own places stand in."""
    return ()


def training_means(
    connection: GraphConnection,
    folder: Path,
    report: Progress = ignore_progress,
    writer: LanguageModel | None = None,
) -> TrainingContext:
    """The parts over a connection; converted bases go beside `folder`."""

    async def find_writer() -> LanguageModel | None:
        return writer

    return TrainingContext(
        Neo4jGraph(connection),
        Neo4jQueries(connection, Limits()),
        TrigramEmbedder(),
        find_no_mentions,
        folder.parent / "cache",
        find_writer,
        report,
    )


def write_rows(file: Path, rows: Sequence[Mapping[str, object]]) -> tuple[Path, ...]:
    """A file of questions, alone in a tuple, as training options want it."""
    file.write_text("".join(f"{json.dumps(row)}\n" for row in rows), "utf-8")
    return (file,)


async def train_in(
    folder: Path,
    connection: GraphConnection,
    tasks: Sequence[str],
    rows: Sequence[Mapping[str, object]] = (),
    writer: LanguageModel | None = None,
    **options: Any,
) -> TrainingOutcome:
    """Train a model into a new folder, by questions or, without rows, by the schema alone."""
    files = write_rows(folder.with_suffix(".jsonl"), rows) if rows else ()
    means = training_means(connection, folder, writer=writer)
    return await train_tasks(tasks, means, TrainingOptions(folder, files, **options))
