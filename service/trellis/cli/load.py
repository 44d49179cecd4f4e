"""`trellis load`: loads graph files into Neo4j, then names, indexes and embeds the nodes.

With `--data DIR` Neo4j's own importer makes a new database of them instead, while no server runs.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Annotated

import typer

from trellis.cli.neo4j import DEFAULT_DATABASE, build_admin_command
from trellis.cli.progress import show_progress
from trellis.cli.terminal import echo
from trellis.engines.embeddings import SentenceEmbedder
from trellis.graph.connection import GraphConnection
from trellis.graph.indexing import IndexReport, index_graph
from trellis.graph.loading import LoadReport, import_graph, load_graph
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
    data: Annotated[
        Path | None,
        typer.Option(help="Make a new database in this folder, by Neo4j's bulk importer."),
    ] = None,
) -> None:
    """Load graph files; again with the same files changes nothing."""
    if data is not None and (replace or no_embeddings):
        raise typer.BadParameter("goes with --types only", param_hint="--data")
    try:
        if data is not None:
            _import_graph(graph, types, data)
            return
        loaded, indexed = asyncio.run(_load_and_index(graph, types, replace, not no_embeddings))
    except BadRowsError as error:
        for row in error.rows:
            echo(row, err=True)
        raise
    echo(
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
            return loaded, await index_graph(
                connection, embedder, most_passages=settings.text_passages, progress=progress
            )


def _import_graph(graph: Path, types: Path | None, data: Path) -> None:
    database = read_settings().neo4j_database or DEFAULT_DATABASE
    with show_progress() as progress:
        report = import_graph(
            graph, data, build_admin_command(), types=types, database=database, progress=progress
        )
    echo(
        f"imported {report.nodes:,} nodes and {report.relationships:,} relationships; next: "
        f"trellis neo4j --data {data}, and beside it trellis index"
    )
