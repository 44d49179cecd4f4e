"""Stores and finds the keys of those who may ask."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncSession

from trellis.store.database import Database
from trellis.store.tables import KeyRow


class KeyTable:
    """The table of keys; every failure of the database is a StoreError."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def save_key(self, row: KeyRow) -> None:
        await self._database.add_row(row)

    async def find_key(self, id: str) -> KeyRow | None:
        """The key with that id, or None."""
        async with self._database.begin_session() as session:
            return await session.get(KeyRow, id)

    async def list_keys(self) -> Sequence[KeyRow]:
        """All keys, oldest first, revoked and expired ones too."""
        async with self._database.begin_session() as session:
            return (await session.scalars(select(KeyRow).order_by(KeyRow.created_at))).all()

    async def revoke_key(self, id: str) -> KeyRow | None:
        """The key with that id, revoked now unless it was before; None where there is none."""

        async def revoke(session: AsyncSession) -> KeyRow | None:
            row = await session.get(KeyRow, id)
            if row is not None and row.revoked_at is None:
                row.revoked_at = datetime.now(UTC)
            return row

        row: KeyRow | None = await self._database.write(revoke)
        return row

    def start_noting_use(self, id: str, at: datetime) -> None:
        """Note in the background when a key is used; a failure changes nothing."""
        change = update(KeyRow).where(KeyRow.id == id).values(used_at=at)

        async def note_use(session: AsyncSession) -> None:
            await session.execute(change)

        self._database.start_write(note_use).add_done_callback(lambda task: task.exception())
