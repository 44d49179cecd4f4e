"""Whether outcomes are right."""

from __future__ import annotations

from typing import Any

import pytest

from lab.judging import is_found_first, judge_outcome
from trellis.domain.graphs.graph import Node
from trellis.domain.replies.reply import Answer, Reply
from trellis.evaluation.execution import ExecutionResult
from trellis.evaluation.run import Outcome
from trellis.questions.row import QuestionRow


def reply(*names: str, **more: Any) -> Reply:
    answers = tuple(Answer(Node(name, name), 1.0) for name in names)
    return Reply("?", "gcr", answers, (), 0.9, abstained=not (names or more), **more)


def outcome(given: Reply | None, **gold: Any) -> Outcome:
    """What a question ended in: a reply, or an error."""
    error = None if given else "out of time"
    return Outcome(QuestionRow("1", "?", **gold), 0.1, given, error=error)


@pytest.mark.parametrize(
    ("given", "answers", "judged"),
    [
        (reply("Oslo"), ("oslo",), "right"),
        (reply("Oslo", "Bergen"), ("Oslo",), "wrong"),
        (reply(), ("Oslo",), "held"),
        (reply(), (), "right"),
        (reply("Oslo"), (), "wrong"),
        (None, ("Oslo",), "held"),
        (None, (), "held"),  # an error is not a right silence
        (reply(verdict="no"), ("no",), "right"),
        (reply("Oslo", count=1), ("1",), "right"),
        (reply("Oslo", count=1), ("Oslo",), "right"),
    ],
)
def test_answers_are_compared_with_gold(
    given: Reply | None, answers: tuple[str, ...], judged: str
) -> None:
    assert judge_outcome(outcome(given, answers=answers)) == judged


@pytest.mark.parametrize(("match", "judged"), [(True, "right"), (False, "wrong")])
def test_without_listed_answers_the_gold_querys_rows_count(match: bool, judged: str) -> None:
    row = QuestionRow("1", "?", cypher="MATCH (n) RETURN n")
    result = ExecutionResult(match)
    assert judge_outcome(Outcome(row, 0.1, reply("Oslo"), execution=result)) == judged


def test_what_is_found_first_counts_held_back_or_not() -> None:
    held = reply(nearest=(Answer(Node("Oslo", "Oslo"), 1.0),))
    assert is_found_first(outcome(reply("Oslo", "Bergen"), answers=("Oslo",)))
    assert is_found_first(outcome(held, answers=("Oslo",)))
    assert not is_found_first(outcome(reply("Bergen", "Oslo"), answers=("Oslo",)))
    assert not is_found_first(outcome(reply(), answers=("Oslo",)))
