"""What one process of the pool does: it opens an app, and answers rows in it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Coroutine, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack

import pyarrow as pa

from trellis.batch.records import Record
from trellis.domain import errors
from trellis.domain.errors import TrellisError
from trellis.questions.row import QuestionRow

AskRows = Callable[[Sequence[QuestionRow]], Coroutine[None, None, Sequence[Record]]]
"""Answers some rows; a question's error is its record."""

OpenAsker = Callable[[], AbstractAsyncContextManager[AskRows]]
"""Opens what answers, in the process that calls it; it travels there by pickle."""

ROW = "row"
RECORD = "record"
_FAILURE = "failure"


class BatchActor:
    """An app in a process of its own, for Ray's `map_batches`.

    Where the app cannot be opened, the error is told in place of records: Ray would turn it
    into one of its own, and the sender would not know what was wrong.
    """

    def __init__(self, open_asker: OpenAsker) -> None:
        self._runner = asyncio.Runner()
        self._failure: TrellisError | None = None
        self._opened = AsyncExitStack()  # as long as this process
        try:
            self._ask_rows = self._runner.run(self._opened.enter_async_context(open_asker()))
        except TrellisError as error:
            self._failure = error

    def __call__(self, batch: pa.Table) -> pa.Table:
        if self._failure:
            return _build_column([{_FAILURE: _encode_error(self._failure)}])
        rows = [_decode_row(text) for text in batch[ROW].to_pylist()]
        return _build_column(self._runner.run(self._ask_rows(rows)))


def _build_column(records: Sequence[Record]) -> pa.Table:
    return pa.table({RECORD: pa.array([json.dumps(record) for record in records], pa.string())})


def encode_row(row: QuestionRow) -> str:
    """What an actor needs of a row; its gold stays where it is."""
    asked = {"id": row.id, "question": row.question, "claim": row.claim, "topics": row.topics}
    return json.dumps(asked)


def _decode_row(text: str) -> QuestionRow:
    body = json.loads(text)
    return QuestionRow(**{**body, "topics": tuple(body["topics"])})


def decode_records(batch: pa.Table) -> list[Record]:
    """The records that an actor gave; raises the error that kept it from opening its app."""
    records = [json.loads(text) for text in batch[RECORD].to_pylist()]
    for record in records:
        if _FAILURE in record:
            raise _decode_error(record[_FAILURE])
    return records


def _encode_error(error: TrellisError) -> dict[str, str]:
    return {"kind": type(error).__name__, "problem": error.problem, "remedy": error.remedy}


def _decode_error(body: dict[str, str]) -> TrellisError:
    kind: type[TrellisError] = getattr(errors, body["kind"], TrellisError)
    return kind(body["problem"], body["remedy"])
