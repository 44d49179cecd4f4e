"""One database by SQLAlchemy: its sessions, its writes, and its failures as StoreError."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, Self

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

REMEDY = "check TRELLIS_STORE_URL and run `trellis migrate`"


class Database:
    """A database; every failure of it is a StoreError.

    A write that has begun is finished even if its caller is cancelled, because a connection that is
    dropped in the middle of a write is lost to the pool.
    """

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        self._session = async_sessionmaker(engine, expire_on_commit=False)
        self._writes: set[asyncio.Task[Any]] = set()

    @classmethod
    def at(cls, url: str) -> Self:
        """The database at a SQLAlchemy URL; it connects at the first use."""
        try:
            return cls(create_async_engine(url, pool_pre_ping=True))
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

        await asyncio.shield(self.start_write(add))

    def start_write(self, write: Callable[[AsyncSession], Awaitable[Any]]) -> asyncio.Task[Any]:
        """The task of a write in a transaction of its own; `close` waits for it."""
        task = asyncio.create_task(self._run_write(write))
        self._writes.add(task)
        task.add_done_callback(self._writes.discard)
        return task

    async def _run_write(self, write: Callable[[AsyncSession], Awaitable[Any]]) -> Any:
        async with self.begin_session() as session:
            return await write(session)
