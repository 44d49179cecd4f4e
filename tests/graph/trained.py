"""What training is done with over a real Neo4j."""

from __future__ import annotations

from collections.abc import Awaitable, Collection
from pathlib import Path

from memory_graph import TrigramEmbedder
from trellis.domain.links import Mention
from trellis.domain.ports import LanguageModel
from trellis.graph.connection import GraphConnection
from trellis.graph.gate import Limits, Neo4jQueries
from trellis.graph.neo4j_graph import Neo4jGraph
from trellis.graph.progress import Progress, silent
from trellis.steps.shared.link import link
from trellis.training.means import TrainingMeans


def training_means(
    connection: GraphConnection,
    folder: Path,
    report: Progress = silent,
    writer: LanguageModel | None = None,
) -> TrainingMeans:
    """The parts over a connection; converted bases go beside `folder`."""
    graph, embedder = Neo4jGraph(connection), TrigramEmbedder()

    def link_mentions(text: str, wording: Collection[str]) -> Awaitable[tuple[Mention, ...]]:
        return link(text, graph, embedder, wording)

    async def find_writer() -> LanguageModel | None:
        return writer

    return TrainingMeans(
        graph,
        Neo4jQueries(connection, Limits()),
        embedder,
        link_mentions,
        folder.parent / "cache",
        find_writer,
        report,
    )
