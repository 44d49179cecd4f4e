"""What training is done with over a real Neo4j."""

from __future__ import annotations

from pathlib import Path

from memory_graph import TrigramEmbedder
from trellis.domain.links import Mention
from trellis.domain.ports import LanguageModel
from trellis.graph.connection import GraphConnection
from trellis.graph.gate import Limits, Neo4jQueries
from trellis.graph.neo4j_graph import Neo4jGraph
from trellis.graph.progress import Progress, ignore_progress
from trellis.training.means import TrainingContext


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
