"""Deletes answers and audit rows by their age, and all that is kept of one caller."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, delete, func, select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import InstrumentedAttribute

from trellis.domain.errors import RetentionError
from trellis.store.answers import delete_answer_rows
from trellis.store.database import Database
from trellis.store.tables import AnswerRow, AuditRow, KeyRow

_DELETED_AT_ONCE = 500  # rows of one transaction, so that other writes come in between
_MOST_DAYS = 100_000  # what a date can still be reckoned with


@dataclass(frozen=True, slots=True)
class RetentionChoice:
    """The rows that are to be deleted, by a condition on each table; None: none of that table."""

    answers: ColumnElement[bool] | None = None
    audit_rows: ColumnElement[bool] | None = None
    keys: ColumnElement[bool] | None = None


@dataclass(frozen=True, slots=True)
class RowCounts:
    """How many answers, audit rows and keys something is about."""

    answers: int = 0
    audit_rows: int = 0
    keys: int = 0

    def __bool__(self) -> bool:
        return bool(self.answers or self.audit_rows or self.keys)

    def describe(self) -> str:
        """The counts in words, such as `2 answers, 1 audit row and 0 keys`."""
        counts = ((self.answers, "answer"), (self.audit_rows, "audit row"), (self.keys, "key"))
        *first, last = (f"{count:,} {noun}{'' if count == 1 else 's'}" for count, noun in counts)
        return f"{', '.join(first)} and {last}"


class Retention:
    """Counts and deletes rows of all graphs in one database.

    The feedback on an answer goes with it. `clock` gives the time, with its zone. A deletion of
    many rows is many transactions: where one fails (StoreError), those before it stay done.
    """

    def __init__(
        self, database: Database, clock: Callable[[], datetime] = lambda: datetime.now(UTC)
    ) -> None:
        self._database, self._clock = database, clock

    def choose_older(self, answer_days: float | None, audit_days: float | None) -> RetentionChoice:
        """The answers and audit rows that are older than so many days; None: none of them.

        RetentionError where a number of days is no age.
        """
        return RetentionChoice(
            None if answer_days is None else AnswerRow.asked_at < self._go_back(answer_days),
            None if audit_days is None else AuditRow.at < self._go_back(audit_days),
        )

    def choose_caller(self, caller: str) -> RetentionChoice:
        """All answers that were given to a caller, the caller's audit rows, and the key of that id,
        which has a name, where it was revoked.

        `caller`: the id of a key, or `oidc:` and the subject of a token. RetentionError where it is
        empty, which stands for everybody who was asked for no key.
        """
        if not caller.strip():
            raise RetentionError(
                "an empty caller is everybody who was asked for no key",
                "name a key, or `oidc:` and a subject; answers without a key are deleted by age",
            )
        return RetentionChoice(
            AnswerRow.asker == caller,
            AuditRow.caller == caller,
            (KeyRow.id == caller) & KeyRow.revoked_at.is_not(None),
        )

    async def count_rows(self, choice: RetentionChoice) -> RowCounts:
        """How much there is now of what was chosen."""
        tables = ((AnswerRow, choice.answers), (AuditRow, choice.audit_rows), (KeyRow, choice.keys))
        async with self._database.begin_session() as session:
            counts = [
                0 if condition is None else await _count(session, table, condition)
                for table, condition in tables
            ]
        return RowCounts(*counts)

    async def delete_rows(self, choice: RetentionChoice) -> RowCounts:
        """Delete what was chosen; returns how much it was."""
        answers = await self._delete(AnswerRow.id, choice.answers, delete_answer_rows)
        audit_rows = await self._delete(AuditRow.number, choice.audit_rows, _delete_audit_rows)
        return RowCounts(
            answers, audit_rows, await self._delete(KeyRow.id, choice.keys, _delete_keys)
        )

    async def _delete(
        self,
        key: InstrumentedAttribute[Any],
        condition: ColumnElement[bool] | None,
        delete_keys: Callable[[AsyncSession, list[Any]], Awaitable[None]],
    ) -> int:
        """Delete some rows after the other until none is left; returns how many there were."""
        if condition is None:
            return 0
        query = select(key).where(condition).limit(_DELETED_AT_ONCE).with_for_update()

        async def delete_some(session: AsyncSession) -> int:
            keys = [*await session.scalars(query)]
            await delete_keys(session, keys)
            return len(keys)

        deleted = 0
        while count := await self._database.write(delete_some):
            deleted += count
        return deleted

    def _go_back(self, days: float) -> datetime:
        if not 0 <= days <= _MOST_DAYS:
            raise RetentionError(f"{days:g} days is no age", f"give 0 to {_MOST_DAYS:,} days")
        return self._clock().astimezone(UTC) - timedelta(days=days)


async def _count(session: AsyncSession, table: type[Any], condition: ColumnElement[bool]) -> int:
    query = select(func.count()).select_from(table).where(condition)
    return await session.scalar(query) or 0


async def _delete_audit_rows(session: AsyncSession, numbers: list[int]) -> None:
    await session.execute(delete(AuditRow).where(AuditRow.number.in_(numbers)))


async def _delete_keys(session: AsyncSession, ids: list[str]) -> None:
    await session.execute(delete(KeyRow).where(KeyRow.id.in_(ids)))
