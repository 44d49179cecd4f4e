"""One database by SQLAlchemy: its sessions, its writes, and its failures as StoreError."""

from __future__ import annotations

import asyncio
import logging
import math
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, nullcontext
from dataclasses import dataclass
from typing import Any, Self

from sqlalchemy import URL, event, make_url
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import (
    AsyncEngine,
    AsyncSession,
    async_sessionmaker,
    create_async_engine,
)

from trellis.domain.errors import StoreError
from trellis.domain.reasons import with_reason
from trellis.store.tables import Base

log = logging.getLogger(__name__)

REMEDY = "check TRELLIS_STORE_URL and run `trellis migrate`"

_COMPLAINT_SECONDS = 60.0  # after which a store that still fails is logged again
_DRIVERS = {
    "sqlite": "sqlite+aiosqlite",
    "postgres": "postgresql+asyncpg",
    "postgresql": "postgresql+asyncpg",
}
_SQLITE_PRAGMAS = ("journal_mode = WAL", "secure_delete = ON", "foreign_keys = ON")
_LOCK_SECONDS = 30  # that a write waits for those of other processes on one SQLite file


@dataclass(slots=True)
class WriteHealth:
    """How the writes of a database ended of late. `problem`: why the last one failed, None where it
    did not. `failed`: the writes that failed, since the service started."""

    problem: StoreError | None = None
    failed: int = 0
    complained_at: float = -math.inf

    def note_success(self) -> None:
        if self.problem is not None:
            log.warning("the store takes writes again; %d failed", self.failed)
        self.problem, self.complained_at = None, -math.inf

    def note_failure(self, error: StoreError) -> None:
        """Remember a failure, and log it unless that was done a short while ago."""
        self.problem = error
        self.failed += 1
        if time.monotonic() - self.complained_at > _COMPLAINT_SECONDS:
            self.complained_at = time.monotonic()
            log.error("the store fails, and answers go on unkept: %s", error)


class Database:
    """A database; every failure of it is a StoreError.

    A write that has begun is finished even if its caller is cancelled, because a connection that is
    dropped in the middle of a write is lost to the pool. In SQLite, which has one writer at a time,
    writes wait for one another here, first come first served: its own way of waiting would leave
    some out for good.
    """

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        self._session = async_sessionmaker(engine, expire_on_commit=False)
        self.health = WriteHealth()
        self._writes: set[asyncio.Task[Any]] = set()
        self._turn = asyncio.Lock() if engine.dialect.name == "sqlite" else nullcontext()

    @classmethod
    def at(cls, url: str) -> Self:
        """The database at a SQLAlchemy URL; it connects at the first use."""
        try:
            return cls(_create_engine(url))
        except (SQLAlchemyError, ImportError) as error:
            problem = with_reason("the store's address cannot be used", error)
            raise StoreError(problem, REMEDY) from error

    async def close(self) -> None:
        """Close all connections, after the writes that have begun."""
        await self.finish_writes()
        await self._engine.dispose()

    async def finish_writes(self) -> None:
        """Wait until all writes that have begun are done."""
        if self._writes:
            await asyncio.wait(self._writes)

    @asynccontextmanager
    async def begin_session(self) -> AsyncIterator[AsyncSession]:
        """A transaction, committed at the end of the block."""
        try:
            async with self._session.begin() as session:
                yield session
        except (SQLAlchemyError, OSError) as error:
            raise StoreError(with_reason("the answer store failed", error), REMEDY) from error

    async def add_row(self, row: Base) -> None:
        """Add a row, whatever becomes of the caller."""

        async def add(session: AsyncSession) -> None:
            session.add(row)

        await self.write(add)

    async def write(self, work: Callable[[AsyncSession], Awaitable[Any]]) -> Any:
        """What a write in a transaction of its own gives, whatever becomes of the caller."""
        return await asyncio.shield(self.start_write(work))

    def start_write(self, work: Callable[[AsyncSession], Awaitable[Any]]) -> asyncio.Task[Any]:
        """The task of a write in a transaction of its own; `close` waits for it."""
        task = asyncio.create_task(self._run_write(work))
        self._writes.add(task)
        task.add_done_callback(self._writes.discard)
        return task

    async def _run_write(self, work: Callable[[AsyncSession], Awaitable[Any]]) -> Any:
        try:
            async with self._turn, self.begin_session() as session:
                given = await work(session)
        except StoreError as error:
            self.health.note_failure(error)
            raise
        self.health.note_success()
        return given


def read_address(url: str) -> URL:
    """The store's address; one that names no driver gets ours.

    Raises ArgumentError of SQLAlchemy.
    """
    given = make_url(url)
    return given.set(drivername=_DRIVERS.get(given.drivername, given.drivername))


def _create_engine(url: str) -> AsyncEngine:
    address = read_address(url)
    if address.get_backend_name() != "sqlite":
        return create_async_engine(address, pool_pre_ping=True)
    engine = create_async_engine(address, connect_args={"timeout": _LOCK_SECONDS})

    @event.listens_for(engine.sync_engine, "connect")
    def prepare_connection(connection: Any, _: object) -> None:
        """Have readers and the writer not wait for one another, nothing of what is deleted stay in
        the file, no feedback outlive its answer, and any letter have its case."""
        for pragma in _SQLITE_PRAGMAS:
            connection.execute(f"PRAGMA {pragma}").close()
        connection.create_function("lower", 1, _lower_text, deterministic=True)

    return engine


def _lower_text(text: str | None) -> str | None:
    """The text in lower case; SQLite's own `lower` knows the letters of ASCII alone."""
    return None if text is None else text.lower()
