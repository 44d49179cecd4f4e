"""Brings the store's tables up to date, by Alembic and `migrations/store`."""

from __future__ import annotations

import asyncio
import threading

from alembic import command
from alembic.config import Config
from alembic.util import CommandError
from sqlalchemy.exc import SQLAlchemyError

from trellis.domain.errors import StoreError
from trellis.domain.reasons import with_reason
from trellis.migration_files import find_migrations

_ALEMBIC = threading.Lock()  # its context is one for the whole process


async def migrate_store(url: str) -> None:
    """Upgrade the store at `url` to the newest tables; safe to repeat, and for several at once."""
    await asyncio.to_thread(_upgrade_tables, url)


def _upgrade_tables(url: str) -> None:
    config = Config()
    config.set_main_option("script_location", str(find_migrations("store")).replace("%", "%%"))
    config.attributes["url"] = url
    try:
        with _ALEMBIC:
            command.upgrade(config, "head")
    except (SQLAlchemyError, CommandError, OSError, ImportError) as error:
        raise StoreError(
            with_reason("the answer store cannot be migrated", error),
            "check TRELLIS_STORE_URL: is the database there, and may we write to it?",
        ) from error
