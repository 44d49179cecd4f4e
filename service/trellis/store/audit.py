"""Stores and finds the audit rows: who asked what of which graph, and how it ended."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from typing import Any

from sqlalchemy import select
from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError
from sqlalchemy.ext.asyncio import AsyncSession

from trellis.store.database import Database, WriteHealth
from trellis.store.tables import AuditRow

log = logging.getLogger(__name__)


_MOST_FAILED = 10_000  # rows that are kept in memory while the store is away
_AWAY_CODES = ("08", "53", "57", "58")  # of PostgreSQL: connections, resources, operators, system
_RETRY_SECONDS = 5.0  # until they are tried again, if no row comes before


class AuditTable:
    """The table of audit rows.

    Rows are stored in the background, and whoever starts that may wait for it. Those that come
    while others are being stored are stored together, so that many requests cost few transactions.
    Rows of a store that is away are stored when it is back; a row whose end is not known may then
    be there twice.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._waiting: list[AuditRow] = []
        self._failed: list[AuditRow] = []
        self._done = asyncio.Event()  # set when the rows that wait now are stored, or have failed
        self._is_storing = False
        self._retry: asyncio.TimerHandle | None = None

    @property
    def health(self) -> WriteHealth:
        """How writes of audit rows and keys ended of late."""
        return self._database.health

    def start_saving(self, row: AuditRow) -> asyncio.Event:
        """Store a row in the background; gives what is set when that is done, or has failed. A
        failure is logged, and nothing is raised: answers go on without an audit."""
        self._waiting.append(row)
        done = self._done
        if not self._is_storing:
            self._start_storing()
        return done

    def retry_failed(self) -> None:
        """Store the rows that failed, now."""
        if self._failed and not self._is_storing:
            self._start_storing()

    def _start_storing(self) -> None:
        rows = [*self._failed, *self._waiting]
        self._failed, self._waiting = [], []
        done, self._done = self._done, asyncio.Event()
        self._is_storing = True
        self._stop_retrying()

        async def store_rows(session: AsyncSession) -> None:
            session.add_all(rows)

        def go_on(task: asyncio.Task[Any]) -> None:
            if error := task.exception():
                self._keep_failed(rows, error)
            done.set()
            self._is_storing = False
            if self._waiting:
                self._start_storing()

        self._database.start_write(store_rows).add_done_callback(go_on)

    def _keep_failed(self, rows: Sequence[AuditRow], error: BaseException) -> None:
        """Keep the newest rows for later where the store was away; what is wrong with a row itself
        would fail again."""
        log.debug("audit rows are not stored (%d): %s", len(rows), error)
        if not _is_away(error.__cause__):
            return
        self._failed = [_copy_row(row) for row in rows[-_MOST_FAILED:]]
        loop = asyncio.get_running_loop()
        self._retry = loop.call_later(_RETRY_SECONDS, self.retry_failed)

    def _stop_retrying(self) -> None:
        if self._retry is not None:
            self._retry.cancel()
            self._retry = None

    async def close(self) -> None:
        """Store what is not stored yet, if the store is there; then nothing is tried any more."""
        await self.finish_writes()
        self.retry_failed()
        await self.finish_writes()
        self._stop_retrying()

    async def finish_writes(self) -> None:
        """Wait until all rows are stored, or have failed."""
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


def _is_away(error: BaseException | None) -> bool:
    """Whether a store failed as a whole: it is gone, full, locked or shutting down."""
    if isinstance(error, DBAPIError):
        code = str(getattr(error.orig, "sqlstate", None) or "")
        kinds = OperationalError | InterfaceError
        return error.connection_invalidated or isinstance(error, kinds) or code[:2] in _AWAY_CODES
    return isinstance(error, OSError | PoolTimeoutError)


def _copy_row(row: AuditRow) -> AuditRow:
    """The row as one that no session knows, without its number."""
    names = (column.name for column in AuditRow.__table__.columns if column.name != "number")
    return AuditRow(**{name: getattr(row, name) for name in names})
