"""Questions and prompts that are kept apart from training, to judge what was trained."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from hashlib import blake2b

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


def draw_prompts(
    prompts: Iterable[tuple[int, ...]], share: float, most: int, least: int
) -> set[tuple[int, ...]]:
    """A share of different prompts, `most` of them at most; none of fewer than `least`. Equal for
    equal prompts, which are their tokens."""
    different = sorted(set(prompts), key=_hash_prompt)
    count = min(most, round(share * len(different))) if len(different) >= least else 0
    return set(different[:count])


def _hash_prompt(prompt: tuple[int, ...]) -> bytes:
    return blake2b(repr(prompt).encode(), digest_size=8).digest()


def _has_gold(row: QuestionRow) -> bool:
    return bool(row.answers or row.cypher)
