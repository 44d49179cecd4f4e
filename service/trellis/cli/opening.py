"""Opens what a command works on; what is not there is told before seconds go into imports."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from trellis.models.finding import check_model_folders
from trellis.models.folder_list import split_folders
from trellis.settings import Settings

if TYPE_CHECKING:
    from trellis.app.trellis_app import TrellisApp
    from trellis.graph.database.connection import GraphConnection
    from trellis.store.database import Database


@asynccontextmanager
async def open_graph(settings: Settings) -> AsyncIterator[GraphConnection]:
    """A connection to Neo4j; GraphUnavailableError at once where that cannot be reached, or refuses
    the password."""
    from trellis.graph.database.connection import GraphConnection

    async with GraphConnection(settings) as connection:
        await connection.verify_connectivity()
        yield connection


@asynccontextmanager
async def open_database() -> AsyncIterator[Database]:
    """The database of the store, migrated."""
    from trellis.store.database import Database
    from trellis.store.migration import migrate_store

    url = Settings().store_url
    await migrate_store(url)
    database = Database.at(url)
    try:
        yield database
    finally:
        await database.close()


@asynccontextmanager
async def open_app(
    settings: Settings, model: str | None = None, *, needs_models: bool = True
) -> AsyncIterator[TrellisApp]:
    """All that answers questions, in this process, its store prepared; `model` as for
    `assemble_app`. What goes wrong on the way is told in lines, as the service logs it.

    Raises GraphUnavailableError at once where Neo4j is not there, and, where models are needed,
    ModelMissingError for a folder that is not.
    """
    if needs_models:
        check_model_folders(split_folders((settings.model if model is None else model) or ""))
    async with open_graph(settings):
        from trellis.logs import configure_logging
        from trellis.wiring.assemble import assemble_app

        configure_logging(settings.model_copy(update={"log_level": "warning"}))
        async with assemble_app(settings, model) as opened:
            await opened.prepare_store()
            yield opened
