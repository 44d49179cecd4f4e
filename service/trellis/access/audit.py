"""What is noted of a request for its audit row, by whoever knows it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from hashlib import sha256


@dataclass(slots=True)
class AuditNote:
    """`query`: what was asked; `rows`: how many came back; `error`: the class of an error."""

    query: str | None = None
    rows: int | None = None
    error: str = ""

    @property
    def query_hash(self) -> str:
        """SHA-256 of what was asked, so that it can be found by whoever knows it."""
        if self.query is None:
            return ""
        return sha256(self.query.encode("utf-8", "surrogatepass")).hexdigest()


_CURRENT: ContextVar[AuditNote | None] = ContextVar("audit_note", default=None)


@contextmanager
def begin_note() -> Iterator[AuditNote]:
    """The note of the request that is answered inside the block."""
    note = AuditNote()
    token = _CURRENT.set(note)
    try:
        yield note
    finally:
        _CURRENT.reset(token)


def note_query(text: str) -> None:
    """Note what the current request asks."""
    if note := _CURRENT.get():
        note.query = text


def note_rows(rows: int) -> None:
    """Note how many answers, rows or facts the current request gets."""
    if note := _CURRENT.get():
        note.rows = rows


def note_error(error: BaseException) -> None:
    """Note what the current request ends with."""
    if note := _CURRENT.get():
        note.error = type(error).__name__
