"""Questions that are kept apart from training."""

from __future__ import annotations

from trellis.questions.row import QuestionRow
from trellis.training.judged_questions import keep_questions_apart


def rows(count: int) -> list[QuestionRow]:
    """Questions of which every text is there twice, and every tenth has no gold."""
    return [
        QuestionRow(f"{n}", f"question {n // 2}", answers=() if n // 2 % 10 == 0 else ("x",))
        for n in range(count)
    ]


def test_what_is_judged_by_is_not_learnt_from() -> None:
    given = rows(2_000)
    kept, judged = keep_questions_apart(given, 0)
    assert kept is not None
    assert 0 < len(judged) <= 60
    assert not {row.question for row in kept} & {row.question for row in judged}
    assert all(row.answers for row in judged)
    assert len({row.question for row in judged}) == len(judged)
    assert {row.question for row in (*kept, *judged)} == {row.question for row in given}


def test_equal_seeds_keep_equal_questions_apart() -> None:
    first, again, other = (keep_questions_apart(rows(2_000), seed)[1] for seed in (0, 0, 1))
    assert first == again != other


def test_of_few_questions_all_are_learnt_from() -> None:
    given = rows(400)
    assert keep_questions_apart(given, 0) == (given, ())
    assert keep_questions_apart(None, 0) == (None, ())
