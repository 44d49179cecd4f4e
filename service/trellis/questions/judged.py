"""The questions of judged answers, read from the store as people judge them."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence

from trellis.domain.errors import StoreError
from trellis.questions.feedback import Judgement, build_judged_row, build_question_key
from trellis.questions.reading import parse_row
from trellis.questions.row import QuestionRow
from trellis.store.answers import Store

log = logging.getLogger(__name__)


class JudgedQuestions:
    """The questions whose right answers people have told; of each the last judgement counts.

    Each judgement is read once. `most`: questions that are remembered, the last ones judged.
    """

    def __init__(self, store: Store, most: int = 200) -> None:
        self._store, self._most = store, most
        self._last_read = 0
        self._rows: dict[str, QuestionRow | None] = {}
        self._turn = asyncio.Lock()

    async def list_rows(self) -> Sequence[QuestionRow]:
        """The questions, the last one judged first; those known so far where the store fails."""
        async with self._turn:
            try:
                await self._read_new()
            except StoreError as error:
                log.warning("what people judged of late is not read: %s", error)
            return [row for row in reversed(self._rows.values()) if row is not None]

    async def _read_new(self) -> None:
        for answer, said in await self._store.list_new_feedback(self._last_read, self._most):
            key = build_question_key(answer)
            self._rows.pop(key, None)
            self._rows[key] = _read_judgement((answer, said))
            self._last_read = said.number
        for key in [*self._rows][: -self._most]:
            del self._rows[key]


def _read_judgement(judgement: Judgement) -> QuestionRow | None:
    """The row of a judgement; None where what is right is not told, or cannot be read any more."""
    try:
        body = build_judged_row(*judgement)
        return None if body is None else parse_row(body)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        log.warning("answer %s is no example: %r", judgement[0].id, error)
        return None
