"""`trellis load`: loads graph files into Neo4j, then names, indexes and embeds the nodes."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Annotated

import typer

from trellis.cli.progress import show_progress
from trellis.engines.embeddings import SentenceEmbedder
from trellis.graph.connection import GraphConnection
from trellis.graph.indexing import IndexReport, index_graph
from trellis.graph.loading import LoadReport, load_graph
from trellis.graph.loading.rows import BadRowsError
from trellis.graphs_file import read_settings


def load(
    graph: Annotated[Path, typer.Argument(help="File of triples, or folder of CSV files.")],
    replace: Annotated[
        bool, typer.Option("--replace", help="Delete all that the database holds first.")
    ] = False,
    no_embeddings: Annotated[
        bool, typer.Option("--no-embeddings", help="Leave embeddings to `trellis index`.")
    ] = False,
    types: Annotated[
        Path | None, typer.Option(help="Labels of triples' nodes: name<TAB>label lines.")
    ] = None,
) -> None:
    """Load graph files; again with the same files changes nothing."""
    try:
        loaded, indexed = asyncio.run(_load_and_index(graph, types, replace, not no_embeddings))
    except BadRowsError as error:
        for row in error.rows:
            typer.echo(row, err=True)
        raise
    typer.echo(
        f"loaded {loaded.nodes:,} nodes and {loaded.relationships:,} relationships; "
        f"{indexed.named:,} named, {indexed.embedded:,} embedded"
    )


async def _load_and_index(
    graph: Path, types: Path | None, replace: bool, embeddings: bool
) -> tuple[LoadReport, IndexReport]:
    settings = read_settings()
    embedder = SentenceEmbedder(settings.embedder, settings.device) if embeddings else None
    async with GraphConnection(settings) as connection:
        await connection.verify_connectivity()
        with show_progress() as progress:
            loaded = await load_graph(
                connection, graph, types=types, replace=replace, progress=progress
            )
            return loaded, await index_graph(connection, embedder, progress=progress)
