"""`trellis load`: loads graph files into Neo4j, then names, indexes and embeds the nodes.

With `--data DIR` Neo4j's own tools make a new database of them, or of a dump, while no server runs.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Annotated

import typer

from trellis.cli.graphs.index import index_opened_graph
from trellis.cli.graphs.neo4j import DEFAULT_DATABASE, build_admin_command
from trellis.cli.opening import open_graph
from trellis.cli.progress import show_progress
from trellis.cli.terminal import echo
from trellis.graph.loading import (
    LoadReport,
    check_graph_path,
    find_missing_work,
    import_graph,
    is_dump,
    load_graph,
    restore_dump,
)
from trellis.graph.loading.rows import BadRowsError
from trellis.graphs_file import read_settings
from trellis.settings import BUNDLED_GRAPH

_ATLAS, _NONE = "atlas", "none"


def load(
    graph: Annotated[
        str,
        typer.Argument(
            help="File of triples, Cypher script (.cypher), dump (.dump, with --data), or folder "
            "of CSV files; `atlas`: the bundled graph; `none`: nothing."
        ),
    ],
    replace: Annotated[
        bool, typer.Option("--replace", help="Delete all that the database holds first.")
    ] = False,
    if_empty: Annotated[
        bool, typer.Option("--if-empty", help="Do nothing where the database holds nodes already.")
    ] = False,
    no_embeddings: Annotated[
        bool, typer.Option("--no-embeddings", help="Leave embeddings to `trellis index`.")
    ] = False,
    types: Annotated[
        Path | None, typer.Option(help="Labels of triples' nodes: name<TAB>label lines.")
    ] = None,
    data: Annotated[
        Path | None,
        typer.Option(help="Make a new database in this folder, by Neo4j's own tools."),
    ] = None,
) -> None:
    """Load graph files; again with the same files changes nothing (but of a script)."""
    if data is not None and (replace or no_embeddings or if_empty):
        raise typer.BadParameter("goes with --types only", param_hint="--data")
    if replace and if_empty:
        raise typer.BadParameter("does not go with --replace", param_hint="--if-empty")
    path = _find_graph(graph)
    if path is None:
        echo("nothing to load")
        return
    check_graph_path(path, is_new_database=data is not None)
    try:
        if data is not None:
            _make_database(path, types, data)
        else:
            echo(asyncio.run(_load_and_index(path, types, replace, if_empty, not no_embeddings)))
    except BadRowsError as error:
        for row in error.rows:
            echo(row, err=True)
        raise


def _find_graph(name: str) -> Path | None:
    """The graph's path; a file or folder that is called `atlas` or `none` goes before the word."""
    if Path(name).exists() or name not in (_ATLAS, _NONE):
        return Path(name)
    return BUNDLED_GRAPH if name == _ATLAS else None


async def _load_and_index(
    graph: Path, types: Path | None, replace: bool, only_if_empty: bool, embeddings: bool
) -> str:
    """Do what is missing; gives what was done, for people."""
    settings = read_settings()
    async with open_graph(settings) as connection:
        missing = await find_missing_work(connection, graph) if only_if_empty else "load"
        if missing == "nothing":
            return "the database holds nodes already: nothing was loaded"
        with show_progress() as progress:
            loaded = None
            if missing == "load":
                loaded = await load_graph(
                    connection, graph, types=types, replace=replace, progress=progress
                )
            indexed = await index_opened_graph(connection, settings, embeddings, progress)
    return f"{_describe_load(loaded)}; {indexed.named:,} named, {indexed.embedded:,} embedded"


def _describe_load(report: LoadReport | None) -> str:
    if report is None:
        return "loaded before"
    return f"loaded {_count_report(report)}"


def _make_database(graph: Path, types: Path | None, data: Path) -> None:
    database, admin = read_settings().neo4j_database or DEFAULT_DATABASE, build_admin_command()
    with show_progress() as progress:
        if is_dump(graph):
            restore_dump(graph, data, admin, database=database, progress=progress)
            done = f"restored {graph.name}"
        else:
            report = import_graph(
                graph, data, admin, types=types, database=database, progress=progress
            )
            done = f"imported {_count_report(report)}"
    echo(f"{done}; next: trellis neo4j --data {data}, and beside it trellis index")


def _count_report(report: LoadReport) -> str:
    return f"{report.nodes:,} nodes and {report.relationships:,} relationships"
