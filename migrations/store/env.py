"""Alembic's environment; the caller gives the store's address, else the settings do.

A migration is one transaction, and whoever comes second waits for the first and finds all done: so
services that start at once may all migrate.
"""

from __future__ import annotations

import asyncio

from alembic import context
from sqlalchemy import URL, Connection, create_engine, event, text
from sqlalchemy.ext.asyncio import create_async_engine
from sqlalchemy.pool import NullPool

from trellis.settings import Settings
from trellis.store.database import read_address
from trellis.store.tables import Base

LOCK_SECONDS = 60  # that another migration of SQLite may take
LOCK_NUMBER = 7_265_108_105  # of PostgreSQL's advisory locks: the one of our migrations


def migrate_connection(connection: Connection) -> None:
    context.configure(
        connection=connection,
        target_metadata=Base.metadata,
        render_as_batch=True,
        transactional_ddl=True,
    )
    with context.begin_transaction():
        if connection.dialect.name == "postgresql":
            connection.execute(text(f"SELECT pg_advisory_xact_lock({LOCK_NUMBER})"))
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
    engine = create_engine(
        url.set(drivername="sqlite"), poolclass=NullPool, connect_args={"timeout": LOCK_SECONDS}
    )

    @event.listens_for(engine, "connect")
    def leave_transactions_to_us(connection: object, _: object) -> None:
        connection.isolation_level = None  # type: ignore[attr-defined]

    @event.listens_for(engine, "begin")
    def begin_alone(connection: Connection) -> None:
        connection.exec_driver_sql("BEGIN IMMEDIATE")

    with engine.connect() as connection:
        migrate_connection(connection)


address = read_address(context.config.attributes.get("url") or Settings().store_url)
if address.get_backend_name() == "sqlite":
    migrate_file(address)
else:
    asyncio.run(migrate_over_network(address))
