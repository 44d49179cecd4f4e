"""Stores and finds answers, the feedback on them, and calibrations."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from datetime import UTC, datetime
from typing import Any, Self

from sqlalchemy import Select, delete, select, text
from sqlalchemy.ext.asyncio import AsyncSession

from trellis.store.database import Database, WriteHealth
from trellis.store.tables import AnswerRow, CalibrationRow, FeedbackRow

FeedbackKey = tuple[int, str]
"""The number of feedback and the id of its answer: a number alone is given again in SQLite where
the last one was deleted."""

_PAGE = 200  # rows of feedback that are read at once
_DELETED_AT_ONCE = 500  # ids that one statement names


class Store:
    """The answers of one graph; every failure of the database is a StoreError.

    It writes and finds what is kept under the graph's name, and nothing else.
    """

    def __init__(self, database: Database, graph: str) -> None:
        self._database, self._graph = database, graph

    @classmethod
    def at(cls, url: str, graph: str) -> Self:
        """The store at a SQLAlchemy URL; it connects at the first use."""
        return cls(Database.at(url), graph)

    async def close(self) -> None:
        await self._database.close()

    async def save_answer(
        self,
        id: str,
        question: str,
        method: str,
        seconds: float,
        body: dict[str, Any],
        asker: str = "",
        conversation: str | None = None,
        asked_at: datetime | None = None,
    ) -> None:
        """Store one answer under `id`; `seconds`: how long it took; `body`: the whole answer.

        `asker`: who asked; empty where nobody is asked for a key. `conversation`: the one that it
        belongs to. `asked_at`: with a time zone; None: now.
        """
        row = AnswerRow(
            id=id,
            asked_at=asked_at or datetime.now(UTC),
            question=question,
            method=method,
            seconds=seconds,
            body=body,
            asker=asker,
            graph=self._graph,
            conversation=conversation,
        )
        await self._database.add_row(row)

    async def find_answer(self, id: str, asker: str | None = None) -> AnswerRow | None:
        """The answer with that id, or None; `asker`: only if it was given to that one."""
        query = self._select_answers(asker).where(AnswerRow.id == id)
        async with self._database.begin_session() as session:
            return await session.scalar(query)

    async def list_conversation(
        self, conversation: str, limit: int, asker: str = ""
    ) -> Sequence[AnswerRow]:
        """The last answers of somebody's conversation, the oldest first; at most `limit`."""
        query = (
            self._select_answers(asker, conversation).order_by(AnswerRow.number.desc()).limit(limit)
        )
        async with self._database.begin_session() as session:
            return (await session.scalars(query)).all()[::-1]

    async def list_answers(
        self,
        limit: int,
        before: int | None = None,
        asker: str | None = None,
        *,
        words: str = "",
        conversation: str | None = None,
    ) -> Sequence[AnswerRow]:
        """Up to `limit` answers, latest first.

        `before`: only those of smaller numbers. `asker`: only those given to that one. `words`:
        only those whose question holds each of these, in any case. `conversation`: only its own.
        """
        query = self._select_answers(asker, conversation)
        query = query.order_by(AnswerRow.number.desc()).limit(limit)
        for word in words.split():
            query = query.where(AnswerRow.question.icontains(word, autoescape=True))
        if before is not None:
            query = query.where(AnswerRow.number < before)
        async with self._database.begin_session() as session:
            return (await session.scalars(query)).all()

    async def delete_answers(
        self, asker: str | None, *, id: str | None = None, conversation: str | None = None
    ) -> int:
        """Delete answers with the feedback on them; returns how many answers there were.

        `asker`: only those given to that one; None: to anybody. `id`: only the one of that id.
        `conversation`: only its own.
        """
        chosen = self._select_answers(asker, conversation).with_only_columns(AnswerRow.id)
        if id is not None:
            chosen = chosen.where(AnswerRow.id == id)

        async def delete_rows(session: AsyncSession) -> int:
            ids = (await session.scalars(chosen)).all()
            for begin in range(0, len(ids), _DELETED_AT_ONCE):
                some = ids[begin : begin + _DELETED_AT_ONCE]
                await delete_answer_rows(session, some)
            return len(ids)

        deleted: int = await self._database.write(delete_rows)
        return deleted

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
        await self._database.add_row(row)
        return row

    async def list_feedback(self, answer_id: str) -> Sequence[FeedbackRow]:
        """The feedback on an answer, oldest first."""
        query = select(FeedbackRow).where(FeedbackRow.answer_id == answer_id)
        query = query.join(AnswerRow).where(AnswerRow.graph == self._graph)
        async with self._database.begin_session() as session:
            return (await session.scalars(query.order_by(FeedbackRow.number))).all()

    async def list_feedback_keys(self, limit: int) -> Sequence[FeedbackKey]:
        """The keys of the newest feedback on this graph's answers, the newest first."""
        query = select(FeedbackRow.number, FeedbackRow.answer_id).join(AnswerRow)
        query = query.where(AnswerRow.graph == self._graph)
        query = query.order_by(FeedbackRow.number.desc()).limit(limit)
        async with self._database.begin_session() as session:
            return [(number, id) for number, id in await session.execute(query)]

    async def read_feedback(
        self, keys: Sequence[FeedbackKey]
    ) -> Sequence[tuple[AnswerRow, FeedbackRow]]:
        """The feedback of some keys with its answers, the oldest first, as far as it is kept."""
        query = self._select_feedback(0).where(FeedbackRow.number.in_([it for it, _ in keys]))
        async with self._database.begin_session() as session:
            rows = (await session.execute(query.order_by(FeedbackRow.number))).all()
        return [(answer, said) for answer, said in rows]

    async def iterate_feedback(self) -> AsyncIterator[tuple[AnswerRow, FeedbackRow]]:
        """All feedback with the answers that it is about, the oldest first."""
        last = 0
        while True:
            query = self._select_feedback(last).order_by(FeedbackRow.number).limit(_PAGE)
            async with self._database.begin_session() as session:
                page = (await session.execute(query)).all()
            for answer, said in page:
                yield answer, said
                last = said.number
            if len(page) < _PAGE:
                return

    async def save_calibration(self, model: str, method: str, body: dict[str, Any]) -> None:
        """Keep a method's calibration of a model, in place of an earlier one."""
        now = datetime.now(UTC)
        row = CalibrationRow(
            graph=self._graph, model=model, method=method, fitted_at=now, body=body
        )

        async def replace_row(session: AsyncSession) -> None:
            await session.merge(row)

        await self._database.write(replace_row)

    async def find_calibration(self, model: str, method: str) -> dict[str, Any] | None:
        """The calibration that is kept of a model and a method; None where none is."""
        async with self._database.begin_session() as session:
            row = await session.get(CalibrationRow, (self._graph, model, method))
            return None if row is None else row.body

    @property
    def health(self) -> WriteHealth:
        """How writes of answers ended of late."""
        return self._database.health

    async def check_ready(self) -> None:
        """Raise StoreError unless the database can be reached and is migrated."""
        async with self._database.begin_session() as session:
            await session.execute(select(AnswerRow).limit(1))
            await session.execute(text("SELECT version_num FROM alembic_version"))

    def _select_feedback(self, after: int) -> Select[AnswerRow, FeedbackRow]:
        return (
            select(AnswerRow, FeedbackRow)
            .join(FeedbackRow, FeedbackRow.answer_id == AnswerRow.id)
            .where(FeedbackRow.number > after, AnswerRow.graph == self._graph)
        )

    def _select_answers(
        self, asker: str | None = None, conversation: str | None = None
    ) -> Select[AnswerRow]:
        """The graph's answers: of one asker, or of one conversation, where these are given."""
        query = select(AnswerRow).where(AnswerRow.graph == self._graph)
        if asker is not None:
            query = query.where(AnswerRow.asker == asker)
        if conversation is not None:
            query = query.where(AnswerRow.conversation == conversation)
        return query


async def delete_answer_rows(session: AsyncSession, ids: Sequence[str]) -> None:
    """Delete answers by their ids, with the feedback on them."""
    await session.execute(delete(FeedbackRow).where(FeedbackRow.answer_id.in_(ids)))
    await session.execute(delete(AnswerRow).where(AnswerRow.id.in_(ids)))
