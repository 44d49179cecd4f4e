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


class FeedbackRow(Base):
    """A user's judgement of an answer; an answer may have several."""

    __tablename__ = "feedback"

    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=True)
    answer_id: Mapped[str] = mapped_column(ForeignKey("answers.id"), index=True)
    noted_at: Mapped[datetime] = mapped_column(DateTime(timezone=True))
    right: Mapped[bool]
    expected: Mapped[list[str]] = mapped_column(JSON)
    comment: Mapped[str] = mapped_column(Text)
