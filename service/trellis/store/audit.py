"""Stores and finds the audit rows: who asked what of which graph, and how it ended."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from typing import Any

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from trellis.store.database import Database, WriteHealth
from trellis.store.tables import AuditRow

log = logging.getLogger(__name__)


class AuditTable:
    """The table of audit rows.

    Rows are stored in the background, and whoever starts that may wait for it. Those that come
    while others are being stored are stored together, so that many requests cost few transactions.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._waiting: list[AuditRow] = []
        self._done = asyncio.Event()  # set when the rows that wait now are stored, or lost
        self._is_storing = False

    @property
    def health(self) -> WriteHealth:
        """How writes of audit rows and keys ended of late."""
        return self._database.health

    def start_saving(self, row: AuditRow) -> asyncio.Event:
        """Store a row in the background; gives what is set when that is done. A failure is logged,
        and nothing is raised: answers go on without an audit."""
        self._waiting.append(row)
        done = self._done
        if not self._is_storing:
            self._start_storing()
        return done

    def _start_storing(self) -> None:
        rows, self._waiting = self._waiting, []
        done, self._done = self._done, asyncio.Event()
        self._is_storing = bool(rows)
        if not rows:
            return

        async def store_rows(session: AsyncSession) -> None:
            session.add_all(rows)

        def go_on(task: asyncio.Task[Any]) -> None:
            if error := task.exception():
                log.debug("audit rows are lost (%d): %s", len(rows), error)
            done.set()
            self._start_storing()

        self._database.start_write(store_rows).add_done_callback(go_on)

    async def finish_writes(self) -> None:
        """Wait until all rows are stored, or lost."""
        while self._is_storing:
            await self._database.finish_writes()
            await asyncio.sleep(0)  # what follows a write is done in the loop's next turn

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
