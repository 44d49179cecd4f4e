"""`trellis index`: makes a graph that is in Neo4j already ready for questions."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Annotated

import typer

from trellis.cli.progress import shown_progress
from trellis.engines.embeddings import SentenceEmbedder
from trellis.graph.connection import GraphConnection
from trellis.graph.indexing import IndexReport, index_graph, remove_index
from trellis.settings import Settings


def index(
    name: Annotated[
        list[str] | None,
        typer.Option(help="What names the nodes of a label: Label=property; may be repeated."),
    ] = None,
    no_embeddings: Annotated[
        bool, typer.Option("--no-embeddings", help="Names and text index only.")
    ] = False,
    remove: Annotated[
        bool, typer.Option("--remove", help="Take everything of ours off the graph again.")
    ] = False,
) -> None:
    """Name, index and embed the nodes, under reserved names; may be run again at any time."""
    if remove:
        asyncio.run(_remove())
        typer.echo("removed all reserved labels, properties and indexes")
        return
    report = asyncio.run(_index(_chosen(name or []), not no_embeddings))
    for kind in report.naming:
        typer.echo(f"{kind.label}: {kind.property or 'nothing names it'} ({kind.count:,} nodes)")
    typer.echo(f"{report.named:,} nodes named, {report.embedded:,} embedded")


def _chosen(options: list[str]) -> Mapping[str, str]:
    pairs = [option.partition("=") for option in options]
    for label, equals, name in pairs:
        if not (label and equals and name):
            raise typer.BadParameter("write --name Label=property", param_hint="--name")
    return {label: name for label, _, name in pairs}


async def _index(chosen: Mapping[str, str], embeddings: bool) -> IndexReport:
    settings = Settings()
    embedder = SentenceEmbedder(settings.embedder, settings.device) if embeddings else None
    async with GraphConnection(settings) as connection:
        await connection.verify()
        with shown_progress() as progress:
            return await index_graph(connection, embedder, chosen=chosen, progress=progress)


async def _remove() -> None:
    async with GraphConnection(Settings()) as connection:
        await connection.verify()
        await remove_index(connection)
