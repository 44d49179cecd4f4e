"""Feedback as questions: what people judged, as rows to learn from and to be held to."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import httpx
import pytest

from memory_app import MemoryGraph, served
from trellis.domain.errors import FileFormatError
from trellis.evaluation.comparison import compare_reports, read_report
from trellis.evaluation.report import Report
from trellis.questions.reading import read_questions
from trellis.questions.row import QuestionRow

TRELLIS = Path(sys.executable).with_name("trellis")


async def judge(
    client: httpx.AsyncClient, question: str, right: bool, *expected: str, **more: object
) -> None:
    body = (await client.post("/v1/questions", json={"question": question, **more})).json()
    said = {"right": right, "expected": expected}
    response = await client.post(f"/v1/answers/{body['id']}/feedback", json=said)
    assert response.status_code == 201


def export(folder: Path, kind: str, code: int = 0) -> tuple[list[QuestionRow], str]:
    """The rows that the command writes, and what it says."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("TRELLIS_")}
    store = {"TRELLIS_STORE_URL": f"sqlite+aiosqlite:///{folder}/answers.db"}
    out = folder / f"{kind}.jsonl"
    command = [TRELLIS, "feedback", "export", "--out", out, "--kind", kind]
    done = subprocess.run(command, env=clean | store, capture_output=True, text=True)
    assert done.returncode == code, done.stderr
    return (read_questions([out]) if code == 0 else []), done.stderr


@pytest.fixture
async def judged(tmp_path: Path) -> Path:
    """A store in which people have judged some answers."""
    async with served(tmp_path, MemoryGraph()) as client:
        await judge(client, "What is the capital of France?", False, "Lyon")
        await judge(client, "what is the capital of  france?", True)  # the last one counts
        await judge(client, "Who speaks French?", False, "Canada")
        await judge(client, "What is the capital of Germany?", False)  # nobody said what is right
        await judge(client, "Who founded Atlantis?", True)
        history = [{"question": "What is the capital of France?", "answers": ["Paris"]}]
        await judge(client, "And of Germany?", True, history=history)
        response = await client.post("/v1/claims", json={"claim": "France borders Germany."})
        said = {"right": False, "expected": ["refuted"]}
        await client.post(f"/v1/answers/{response.json()['id']}/feedback", json=said)
    return tmp_path


@pytest.mark.slow
async def test_the_last_right_answer_of_each_question_is_gold(judged: Path) -> None:
    rows, said = export(judged, "regression")
    assert [(row.question or row.claim, row.answers, row.label) for row in rows] == [
        ("what is the capital of  france?", ("Paris",), None),
        ("Who speaks French?", ("Canada",), None),
        ("Who founded Atlantis?", (), None),
        ("What is the capital of Germany?", ("Berlin",), None),
        ("France borders Germany.", None, "refuted"),
    ]
    assert rows[0].topics == ("France",)
    assert said.startswith("5 questions written to ")
    assert len({row.id for row in rows}) == len(rows)
    learnt, said = export(judged, "training")
    to_learn = [row.question for row in rows if row.question and row.answers]
    assert [row.question for row in learnt if row.question] == to_learn
    assert "1 judged ones left out" in said  # what has no answer is nothing to learn


@pytest.mark.slow
def test_a_store_that_is_not_there_is_told(tmp_path: Path) -> None:
    _, said = export(tmp_path, "regression", code=1)
    assert "trellis migrate" in said


ROWS = [
    QuestionRow("a", "a?", answers=("x", "y")),
    QuestionRow("b", "b?", answers=()),
    QuestionRow("c", claim="c.", label="supported"),
    QuestionRow("d", "d?"),
    QuestionRow("e", "e?", answers=("x",)),
]


def build_report(**given: Sequence[str] | str | None) -> Report:
    entries = [
        {"id": id, "answers": [], "error": "it failed"}
        if answers is None
        else {"id": id, "answers": [], "verdict": answers}
        if isinstance(answers, str)
        else {"id": id, "answers": [*answers]}
        for id, answers in given.items()
    ]
    return {"method": "gcr", "questions": entries}


@pytest.mark.parametrize(
    ("new", "worse", "better"),
    [
        ({"a": ["x", "y"], "b": [], "c": "supported", "d": ["x"]}, [], []),
        ({"a": ["X"], "b": [], "c": "supported"}, ["a"], []),
        ({"a": ["x", "y", "z"]}, ["a"], []),
        ({"b": ["x"], "c": "refuted"}, ["b", "c"], []),
        ({"b": None, "a": ["y", "x"]}, ["b"], []),
        ({"a": ["x", "y"], "e": ["x"]}, [], []),
        ({"d": ["y"], "a": None}, ["a"], []),
    ],
)
def test_which_questions_got_worse(
    new: dict[str, Sequence[str] | str | None], worse: list[str], better: list[str]
) -> None:
    old = build_report(a=["x", "y"], b=[], c="supported", d=["x"])
    found = compare_reports(ROWS, old, build_report(**new))
    assert ([it.id for it in found.worse], [it.id for it in found.better]) == (worse, better)
    turned = compare_reports(ROWS, build_report(**new), old)
    assert [it.id for it in turned.better] == worse


def test_answers_that_are_known_by_ids_are_compared_by_them() -> None:
    row = QuestionRow("a", "a?", answers=("x", "x"), answer_nodes=("1", "2"))
    whole = {"id": "a", "answers": ["x", "x"], "ids": ["2", "1"]}
    other = {"id": "a", "answers": ["x", "x"], "ids": ["1", "3"]}
    first, second = ({"method": "gcr", "questions": [each]} for each in (whole, other))
    assert not compare_reports([row], first, first).worse
    assert [it.id for it in compare_reports([row], first, second).worse] == ["a"]


def test_a_change_says_what_was_what_is_and_what_is_right() -> None:
    found = compare_reports(ROWS, build_report(a=["x", "y"]), build_report(a=[]))
    assert found.worse[0].describe_change() == "a: was x, y; is nothing; right is x, y"


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"questions": [1]}', '{"questions": {}}'])
def test_what_is_no_report_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "old.json").write_text(text)
    with pytest.raises(FileFormatError, match=r"old\.json"):
        read_report(tmp_path / "old.json")
    with pytest.raises(FileFormatError, match=r"none\.json"):
        read_report(tmp_path / "none.json")


def test_reports_of_other_questions_cannot_be_compared() -> None:
    with pytest.raises(FileFormatError, match="share no question"):
        compare_reports(ROWS, build_report(z=["x"]), build_report(a=["x"]))
