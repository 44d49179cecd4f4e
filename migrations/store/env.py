"""Alembic's environment; the caller gives the store's address, else the settings do."""

from __future__ import annotations

import asyncio

from alembic import context
from sqlalchemy import URL, Connection, create_engine, make_url
from sqlalchemy.ext.asyncio import create_async_engine
from sqlalchemy.pool import NullPool

from trellis.settings import Settings
from trellis.store.tables import Base


def migrate_connection(connection: Connection) -> None:
    context.configure(connection=connection, target_metadata=Base.metadata, render_as_batch=True)
    with context.begin_transaction():
        context.run_migrations()


async def migrate_over_network(url: URL) -> None:
    engine = create_async_engine(url, poolclass=NullPool)
    try:
        async with engine.connect() as connection:
            await connection.run_sync(migrate_connection)
    finally:
        await engine.dispose()


def migrate_file(url: URL) -> None:
    """Migrate SQLite by its synchronous driver; the asynchronous one outlives a failed loop."""
    engine = create_engine(url.set(drivername="sqlite"), poolclass=NullPool)
    with engine.connect() as connection:
        migrate_connection(connection)


address = make_url(context.config.attributes.get("url") or Settings().store_url)
if address.get_backend_name() == "sqlite":
    migrate_file(address)
else:
    asyncio.run(migrate_over_network(address))
