"""The questions of judged answers, read from the store as people judge them."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from trellis.domain.cypher import CypherQuery
from trellis.domain.errors import StoreError
from trellis.questions.feedback import Judgement, build_judged_row, build_question_key
from trellis.questions.reading import parse_row
from trellis.questions.row import QuestionRow
from trellis.store.answers import Store

log = logging.getLogger(__name__)


_MOST_CANDIDATES = 5
_LATE = 100  # numbers behind the greatest that was read: one that was given may be committed later


@dataclass(frozen=True, slots=True)
class JudgedQuestion:
    """A question, and what is right. `candidates`: where the answer was wrong, the other queries
    that the model thought of, likeliest first; one of them may give what is right."""

    row: QuestionRow
    candidates: tuple[CypherQuery, ...] = ()


class JudgedQuestions:
    """The questions whose right answers people have told; of each the last judgement counts.

    Each judgement is read once. `most`: questions that are remembered, the last ones judged.
    """

    def __init__(self, store: Store, most: int = 200) -> None:
        self._store, self._most = store, most
        self._read: frozenset[int] = frozenset()  # numbers, down to `_LATE` below the greatest
        self._rows: dict[str, tuple[int, JudgedQuestion | None]] = {}
        self._turn = asyncio.Lock()

    async def list_judged(self) -> Sequence[JudgedQuestion]:
        """The questions, the last one judged first; those known so far where the store fails."""
        async with self._turn:
            try:
                await self._read_new()
            except StoreError as error:
                log.warning("what people judged of late is not read: %s", error)
            return [row for _, row in reversed(self._rows.values()) if row is not None]

    async def _read_new(self) -> None:
        since = max(self._read, default=0) - _LATE
        new = await self._store.list_new_feedback(since, self._most, self._read)
        for answer, said in new:
            key = build_question_key(answer)
            if said.number > self._rows.get(key, (0, None))[0]:
                self._rows[key] = (said.number, _read_judgement((answer, said)))
        newest = sorted(self._rows.items(), key=lambda each: each[1][0])[-self._most :]
        self._rows = dict(newest)
        numbers = self._read | {said.number for _, said in new}
        least = max(numbers, default=0) - _LATE
        self._read = frozenset(number for number in numbers if number > least)


def _read_judgement(judgement: Judgement) -> JudgedQuestion | None:
    """The question of a judgement; None where it does not tell what is right, or cannot be read."""
    try:
        body = build_judged_row(*judgement)
        if body is None:
            return None
        answer, said = judgement
        candidates = () if said.right else tuple(_list_candidates(answer.body))
        return JudgedQuestion(parse_row(body), candidates[:_MOST_CANDIDATES])
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        log.warning("answer %s is no example: %r", judgement[0].id, error)
        return None


def _list_candidates(body: dict[str, Any]) -> Iterator[CypherQuery]:
    """The queries that the model thought of, without the one that was answered by."""
    for candidate in body.get("candidates", ()):
        if candidate.get("cypher") and candidate["cypher"] != body.get("cypher"):
            yield CypherQuery(candidate["cypher"], candidate.get("params") or {})
