"""The store's tables."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, DateTime, Float, ForeignKey, MetaData, String, Text
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

NAMING = {
    "ix": "ix_%(table_name)s_%(column_0_name)s",
    "uq": "uq_%(table_name)s_%(column_0_name)s",
    "pk": "pk_%(table_name)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s",
}


class Base(DeclarativeBase):
    """Base of the tables; it names all constraints, so that migrations can refer to them."""

    metadata = MetaData(naming_convention=NAMING)


class AnswerRow(Base):
    """One question and the complete answer that the service gave."""

    __tablename__ = "answers"

    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=True)
    id: Mapped[str] = mapped_column(String(36), unique=True)
    asked_at: Mapped[datetime] = mapped_column(DateTime(timezone=True), index=True)
    question: Mapped[str] = mapped_column(Text)
    method: Mapped[str] = mapped_column(String(40))
    seconds: Mapped[float] = mapped_column(Float)
    body: Mapped[dict[str, Any]] = mapped_column(JSON)
    asker: Mapped[str] = mapped_column(String(300), server_default="")
    graph: Mapped[str] = mapped_column(String(100), server_default="default", index=True)
    conversation: Mapped[str | None] = mapped_column(String(64), index=True)


class FeedbackRow(Base):
    """A user's judgement of an answer; an answer may have several."""

    __tablename__ = "feedback"

    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=True)
    answer_id: Mapped[str] = mapped_column(ForeignKey("answers.id"), index=True)
    noted_at: Mapped[datetime] = mapped_column(DateTime(timezone=True))
    right: Mapped[bool]
    expected: Mapped[list[str]] = mapped_column(JSON)
    comment: Mapped[str] = mapped_column(Text)


class CalibrationRow(Base):
    """How sure a method may be of a model's answers about a graph, as it was fitted last."""

    __tablename__ = "calibrations"

    graph: Mapped[str] = mapped_column(String(100), primary_key=True)
    model: Mapped[str] = mapped_column(String(500), primary_key=True)
    method: Mapped[str] = mapped_column(String(40), primary_key=True)
    fitted_at: Mapped[datetime] = mapped_column(DateTime(timezone=True))
    body: Mapped[dict[str, Any]] = mapped_column(JSON)


class KeyRow(Base):
    """A key of somebody who may ask; the secret itself is not kept."""

    __tablename__ = "keys"

    id: Mapped[str] = mapped_column(String(40), primary_key=True)
    name: Mapped[str] = mapped_column(String(200))
    secret_hash: Mapped[str] = mapped_column(String(64))
    scopes: Mapped[list[str]] = mapped_column(JSON)
    graphs: Mapped[list[str]] = mapped_column(JSON)  # empty: all
    rate_limit: Mapped[str] = mapped_column(String(200))  # empty: the service's
    created_at: Mapped[datetime] = mapped_column(DateTime(timezone=True))
    expires_at: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))
    revoked_at: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))
    used_at: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))


class AuditRow(Base):
    """One request of a caller who showed a valid key, whether or not it was let through."""

    __tablename__ = "audit"

    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=True)
    at: Mapped[datetime] = mapped_column(DateTime(timezone=True), index=True)
    caller: Mapped[str] = mapped_column(String(300), index=True)
    graph: Mapped[str] = mapped_column(String(100))
    verb: Mapped[str] = mapped_column(String(20))
    path: Mapped[str] = mapped_column(String(300))
    query_hash: Mapped[str] = mapped_column(String(64))  # empty: nothing was asked
    query: Mapped[str | None] = mapped_column(Text)  # None: texts are not kept
    rows: Mapped[int | None]
    outcome: Mapped[str] = mapped_column(String(100))
    seconds: Mapped[float] = mapped_column(Float)
