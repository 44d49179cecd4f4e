"""What a report says of choosing among methods."""

from __future__ import annotations

import pytest

from trellis.domain.graphs.graph import Node
from trellis.domain.replies.choice import Choice, Opinion
from trellis.domain.replies.reply import Answer, Reply
from trellis.evaluation.report import build_report
from trellis.evaluation.run import Outcome
from trellis.questions.row import QuestionRow


def outcome(method: str, answer: str, seconds: float, *asked: str) -> Outcome:
    choice = Choice(tuple(Opinion(name, "answered") for name in asked)) if asked else None
    answers = (Answer(Node("1", answer), 1.0),)
    reply = Reply("?", method, answers, (), 0.9, abstained=False, choice=choice)
    return Outcome(QuestionRow(id="q", question="?", answers=("Paris",)), seconds, reply)


def test_methods_and_the_best_of_them_stand_beside_the_choice() -> None:
    chosen = [outcome("a", "Paris", 0.1, "a"), outcome("b", "Lyon", 0.3, "a", "b")]
    alone = {
        "a": [outcome("a", "Paris", 0.1), outcome("a", "Nice", 0.1)],
        "b": [outcome("b", "Lyon", 0.2), outcome("b", "Paris", 0.2)],
    }
    choice = build_report("auto", chosen, alone)["choice"]
    assert (choice["methods"], choice["asked"]) == ({"a": 1, "b": 1}, 1.5)
    assert choice["right"] == {"auto": 0.5, "a": 0.5, "b": 0.5, "oracle": 1.0}
    assert choice["p50"] == pytest.approx({"auto": 0.1, "a": 0.1, "b": 0.2})


def test_a_report_of_one_method_has_no_choice() -> None:
    assert "choice" not in build_report("a", [outcome("a", "Paris", 0.1)])
    alone = build_report("auto", [outcome("a", "Paris", 0.1, "a")])
    assert alone["choice"] == {"methods": {"a": 1}, "asked": 1.0}
    assert alone["questions"][0]["chosen"] == "a"
    assert alone["questions"][0]["asked"] == ["a"]
