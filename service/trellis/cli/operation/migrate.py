"""`trellis migrate`: updates the store's tables, and the graph's constraints and indexes."""

from __future__ import annotations

import asyncio
from typing import Annotated

import typer

from trellis.cli.opening import open_graph
from trellis.cli.terminal import echo
from trellis.graphs_file import list_graph_settings
from trellis.settings import Settings


def migrate(
    store: Annotated[bool, typer.Option(help="Migrate the answer store.")] = True,
    graph: Annotated[bool, typer.Option(help="Migrate the graph.")] = True,
) -> None:
    """Bring the answer store and the graph up to date; safe to repeat."""
    asyncio.run(_run_migrations(Settings(), store, graph))


async def _run_migrations(settings: Settings, store: bool, graph: bool) -> None:
    # help needs neither database
    from trellis.graph.database.migration import migrate_graph
    from trellis.store.migration import migrate_store

    if store:
        await migrate_store(settings.store_url)
        echo("store: up to date")
    for name, chosen in list_graph_settings(settings).items() if graph else ():
        async with open_graph(chosen) as connection:
            applied = await migrate_graph(connection)
        shown = f"graph {name}" if settings.graphs_file else "graph"
        echo(f"{shown}: {', '.join(applied) if applied else 'up to date'}")
