"""Questions that are kept apart from training, to judge what was trained."""

from __future__ import annotations

import random
from collections.abc import Sequence

from trellis.questions.row import QuestionRow

_SHARE = 0.04
_MOST = 60
_FEWEST = 500  # questions; of fewer, each is needed for training


def keep_questions_apart(
    questions: Sequence[QuestionRow] | None, seed: int
) -> tuple[list[QuestionRow] | None, tuple[QuestionRow, ...]]:
    """The questions to learn from, and those to judge by: equal for equal questions and seeds.

    Those to judge by have gold, and their texts are not among those to learn from.
    """
    if questions is None or len(questions) < _FEWEST:
        return (None if questions is None else list(questions)), ()
    texts = list(dict.fromkeys(row.question for row in questions if _has_gold(row)))
    count = min(_MOST, round(_SHARE * len(texts)))
    apart = set(random.Random(seed).sample(texts, count))
    judged = {row.question: row for row in questions if row.question in apart and _has_gold(row)}
    return [row for row in questions if row.question not in apart], tuple(judged.values())


def _has_gold(row: QuestionRow) -> bool:
    return bool(row.answers or row.cypher)
