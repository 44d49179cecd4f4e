"""The questions of judged answers, read from the store as people judge them."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from trellis.domain.errors import StoreError
from trellis.domain.structures.cypher import CypherQuery
from trellis.questions.feedback import Judgement, build_judged_row, build_question_key
from trellis.questions.reading import parse_row
from trellis.questions.row import QuestionRow
from trellis.store.answers import FeedbackKey, Store

log = logging.getLogger(__name__)


_MOST_CANDIDATES = 5


@dataclass(frozen=True, slots=True)
class JudgedQuestion:
    """A question, and what is right. `candidates`: where the answer was wrong, the other queries
    that the model thought of, likeliest first; one of them may give what is right."""

    row: QuestionRow
    candidates: tuple[CypherQuery, ...] = ()


@dataclass(frozen=True, slots=True)
class _ReadJudgement:
    """`question`: its key; `judged`: None where the judgement does not tell what is right."""

    question: str
    judged: JudgedQuestion | None


class JudgedQuestions:
    """The questions whose right answers people have told; of each the last judgement counts.

    Each judgement is read once, and forgotten when it is deleted. `most`: judgements that are
    remembered, the last ones.
    """

    def __init__(self, store: Store, most: int = 200) -> None:
        self._store, self._most = store, most
        self._read: dict[FeedbackKey, _ReadJudgement] = {}  # the newest first
        self._turn = asyncio.Lock()

    async def list_judged(self) -> Sequence[JudgedQuestion]:
        """The questions, the last one judged first; those known so far where the store fails."""
        async with self._turn:
            try:
                await self._read_new()
            except StoreError as error:
                log.warning("what people judged of late is not read: %s", error)
            last: dict[str, JudgedQuestion | None] = {}
            for it in self._read.values():
                last.setdefault(it.question, it.judged)
            return [judged for judged in last.values() if judged is not None]

    async def _read_new(self) -> None:
        newest = await self._store.list_feedback_keys(self._most)
        known = dict(self._read)
        if unread := [key for key in newest if key not in known]:
            for answer, said in await self._store.read_feedback(unread):
                judgement = _ReadJudgement(
                    build_question_key(answer), _read_judgement((answer, said))
                )
                known[said.number, said.answer_id] = judgement
        self._read = {key: known[key] for key in newest if key in known}


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
