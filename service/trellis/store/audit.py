"""Stores and finds the audit rows: who asked what of which graph, and how it ended."""

from __future__ import annotations

import logging
from asyncio import Task
from collections.abc import Sequence
from typing import Any

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from trellis.store.database import Database
from trellis.store.tables import AuditRow

log = logging.getLogger(__name__)


class AuditTable:
    """The table of audit rows."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def start_saving(self, row: AuditRow) -> None:
        """Store a row in the background; a failure is logged, for the request was answered."""

        async def save_row(session: AsyncSession) -> None:
            session.add(row)

        self._database.start_write(save_row).add_done_callback(_log_failure)

    async def finish_writes(self) -> None:
        """Wait until the rows that are being stored are there."""
        await self._database.finish_writes()

    async def list_rows(
        self, limit: int, caller: str | None = None, graph: str | None = None
    ) -> Sequence[AuditRow]:
        """Up to `limit` rows, latest first; of one caller or one graph where these are given."""
        query = select(AuditRow).order_by(AuditRow.number.desc()).limit(limit)
        if caller is not None:
            query = query.where(AuditRow.caller == caller)
        if graph is not None:
            query = query.where(AuditRow.graph == graph)
        async with self._database.begin_session() as session:
            return (await session.scalars(query)).all()


def _log_failure(task: Task[Any]) -> None:
    error = task.exception()
    if error:
        log.warning("an audit row is lost: %s", error)
