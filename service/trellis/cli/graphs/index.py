"""`trellis index`: prepares a graph that is already in Neo4j for questions.

With `--anchors FILE` it builds KG-Tries ahead instead, and writes nothing to the graph.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from trellis.cli.opening import open_graph
from trellis.cli.progress import show_progress
from trellis.cli.terminal import echo
from trellis.domain.errors import FileFormatError
from trellis.graph.configuration import read_graph_config
from trellis.graph.database.progress import Progress
from trellis.graphs_file import read_settings
from trellis.settings import BUNDLED_MODEL, Settings

# What takes a second to import is imported where it is used: help is shown at once.
if TYPE_CHECKING:
    from trellis.graph.database.connection import GraphConnection
    from trellis.graph.indexes.indexing import IndexReport
    from trellis.graph.indexes.naming import LabelNaming
    from trellis.graph.neighbourhoods.building import BuildReport
    from trellis.steps.retrieve.paths.settings import PathSettings


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
    anchors: Annotated[
        Path | None,
        typer.Option(help="Build the tries of these nodes ahead, and nothing else: a name a line."),
    ] = None,
    hops: Annotated[
        int | None, typer.Option(min=1, max=8, help="With --anchors: unset, the model's own.")
    ] = None,
) -> None:
    """Name, index and embed the nodes, under reserved names; may be run again at any time."""
    if anchors is not None:
        if remove or name or no_embeddings:
            raise typer.BadParameter("goes with --hops only", param_hint="--anchors")
        _print_report(asyncio.run(_build_tries(anchors, hops)))
        return
    if hops is not None:
        raise typer.BadParameter("goes with --anchors only", param_hint="--hops")
    if remove:
        asyncio.run(_remove_index())
        echo("removed all reserved labels, properties and indexes")
        return
    report = asyncio.run(_index_graph(_parse_names(name or []), not no_embeddings))
    for kind in report.naming:
        also = f", also called by {', '.join(kind.aliases)}" if kind.aliases else ""
        named = kind.property or "nothing names it"
        echo(f"{kind.label}: {named}{also} ({kind.count:,} nodes)")
    if report.naming:
        echo(
            f"to name nodes by another property: trellis index --name {_pick_other(report.naming)}"
        )
    counts = f"{report.named:,} nodes named, {report.embedded:,} embedded"
    echo(f"{counts}, {report.values:,} values remembered")
    for text in report.texts:
        echo(f"{text.label}.{text.property}: texts, searched by what they say")
    for own in report.vectors.used:
        searched = f"{own.kind.label}.{own.kind.property}"
        echo(f"{searched}: searched by vector index {own.index}, made by {own.model}")
    for left in report.vectors.left:
        echo(left)
    if report.texts:
        echo(f"{report.passages:,} passages of texts embedded")


def _pick_other(naming: Sequence[LabelNaming]) -> str:
    """A label with a property that names its nodes, too, as `--name` takes it."""
    others = (f"{kind.label}={kind.aliases[0]}" for kind in naming if kind.aliases)
    return next(others, f"{naming[0].label}=PROPERTY")


def _parse_names(options: list[str]) -> Mapping[str, str]:
    pairs = [option.partition("=") for option in options]
    for label, equals, name in pairs:
        if not (label and equals and name):
            raise typer.BadParameter("write --name Label=property", param_hint="--name")
    return {label: name for label, _, name in pairs}


async def _index_graph(property_by_label: Mapping[str, str], embeddings: bool) -> IndexReport:
    settings = read_settings()
    async with open_graph(settings) as connection:
        with show_progress() as progress:
            return await index_opened_graph(
                connection, settings, embeddings, progress, property_by_label
            )


async def index_opened_graph(
    connection: GraphConnection,
    settings: Settings,
    embeddings: bool,
    progress: Progress,
    property_by_label: Mapping[str, str] | None = None,
) -> IndexReport:
    """Index a graph as `settings` say. `property_by_label`: what names the nodes of labels."""
    from trellis.graph.indexes.indexing import index_graph
    from trellis.wiring.assemble import share_embedder

    return await index_graph(
        connection,
        share_embedder(settings) if embeddings else None,
        naming_overrides=property_by_label,
        config=read_graph_config(settings.graph_config),
        most_passages=settings.text_passages,
        open_embedder=partial(share_embedder, settings),
        progress=progress,
    )


def _print_report(report: BuildReport) -> None:
    for name in report.unknown:
        echo(f"not in the graph: {name}", err=True)
    if report.changed:
        echo("the graph changed meanwhile: run it again", err=True)
    counts = f"{report.built:,} tries built, {report.fresh:,} were there"
    echo(f"{counts}, {len(report.unknown):,} names not in the graph")


async def _build_tries(anchors: Path, hops: int | None) -> BuildReport:
    from trellis.graph.loading.files import read_lines

    names = [name for _, line in read_lines(anchors) if (name := line.strip())]
    if not names:
        raise FileFormatError(f"{anchors} has no name", "write one node name a line")
    settings = read_settings()
    paths = _find_path_settings(settings)
    async with open_graph(settings) as connection:
        from trellis.graph.neighbourhoods.building import TrieBuilder
        from trellis.graph.neo4j_graph import Neo4jGraph
        from trellis.wiring.assemble import build_trie_files

        graph = Neo4jGraph(connection, read_graph_config(settings.graph_config))
        await graph.check_ready()
        builder = TrieBuilder(
            graph,
            build_trie_files(settings),
            hops or paths.hops,
            settings.edge_budget,
            paths.rendering == "full",
        )
        with show_progress() as progress:
            return await builder.build(names, progress)


def _find_path_settings(settings: Settings) -> PathSettings:
    """The settings of the first model that writes paths; the defaults if there is none."""
    from trellis.models.general import read_any_card
    from trellis.steps.retrieve.paths.settings import PathSettings

    folders = settings.model_folders if settings.is_model_set else (BUNDLED_MODEL,)
    cards = [read_any_card(model, settings.cache) for model in folders]
    writing = [card for card in cards if PathSettings.task in card.tasks]
    return writing[0].settings(PathSettings) if writing else PathSettings()


async def _remove_index() -> None:
    async with open_graph(read_settings()) as connection:
        from trellis.graph.indexes.indexing import remove_index

        await remove_index(connection)
