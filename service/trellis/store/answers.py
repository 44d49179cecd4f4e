"""Stores and finds answers and the feedback on them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import Any, Self

from sqlalchemy import select, text
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import (
    AsyncEngine,
    AsyncSession,
    async_sessionmaker,
    create_async_engine,
)

from trellis.domain.errors import StoreError
from trellis.domain.reasons import with_reason
from trellis.store.tables import AnswerRow, Base, FeedbackRow

REMEDY = "check TRELLIS_STORE_URL and run `trellis migrate`"


class Store:
    """The answer store; every failure of the database is a StoreError.

    A write that has begun is finished even if its caller is cancelled, because a connection that is
    dropped in the middle of a write is lost to the pool.
    """

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        self._session = async_sessionmaker(engine, expire_on_commit=False)
        self._writes: set[asyncio.Task[None]] = set()

    @classmethod
    def at(cls, url: str) -> Self:
        """The store at a SQLAlchemy URL; it connects at the first use."""
        try:
            return cls(create_async_engine(url, pool_pre_ping=True))
        except (SQLAlchemyError, ImportError) as error:
            problem = with_reason("the store's address cannot be used", error)
            raise StoreError(problem, REMEDY) from error

    async def close(self) -> None:
        if self._writes:
            await asyncio.wait(self._writes)
        await self._engine.dispose()

    async def save_answer(
        self, id: str, question: str, method: str, seconds: float, body: dict[str, Any]
    ) -> None:
        """Store one answer under `id`; `seconds`: how long it took; `body`: the whole answer."""
        row = AnswerRow(
            id=id,
            asked_at=datetime.now(UTC),
            question=question,
            method=method,
            seconds=seconds,
            body=body,
        )
        await self._write_row(row)

    async def find_answer(self, id: str) -> AnswerRow | None:
        """The answer with that id, or None."""
        async with self._begin_session() as session:
            return await session.scalar(select(AnswerRow).where(AnswerRow.id == id))

    async def list_answers(self, limit: int, before: int | None = None) -> Sequence[AnswerRow]:
        """Up to `limit` answers, latest first; `before`: only those of smaller numbers."""
        query = select(AnswerRow).order_by(AnswerRow.number.desc()).limit(limit)
        if before is not None:
            query = query.where(AnswerRow.number < before)
        async with self._begin_session() as session:
            return (await session.scalars(query)).all()

    async def save_feedback(
        self, answer_id: str, right: bool, expected: Sequence[str], comment: str
    ) -> FeedbackRow:
        """Store feedback on an answer that is in the store."""
        row = FeedbackRow(
            answer_id=answer_id,
            noted_at=datetime.now(UTC),
            right=right,
            expected=list(expected),
            comment=comment,
        )
        await self._write_row(row)
        return row

    async def list_feedback(self, answer_id: str) -> Sequence[FeedbackRow]:
        """The feedback on an answer, oldest first."""
        query = select(FeedbackRow).where(FeedbackRow.answer_id == answer_id)
        async with self._begin_session() as session:
            return (await session.scalars(query.order_by(FeedbackRow.number))).all()

    async def check_ready(self) -> None:
        """Raise StoreError unless the database can be reached and is migrated."""
        async with self._begin_session() as session:
            await session.execute(select(AnswerRow.number).limit(1))
            await session.execute(text("SELECT version_num FROM alembic_version"))

    async def _write_row(self, row: Base) -> None:
        task = asyncio.ensure_future(self._add_row(row))
        self._writes.add(task)
        task.add_done_callback(self._writes.discard)
        await asyncio.shield(task)

    async def _add_row(self, row: Base) -> None:
        async with self._begin_session() as session:
            session.add(row)

    @asynccontextmanager
    async def _begin_session(self) -> AsyncIterator[AsyncSession]:
        try:
            async with self._session.begin() as session:
                yield session
        except (SQLAlchemyError, OSError) as error:
            raise StoreError(with_reason("the answer store failed", error), REMEDY) from error
