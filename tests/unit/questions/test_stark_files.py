"""STaRK's files of questions: tables, splits, and what is said of those that cannot be used."""

from __future__ import annotations

from pathlib import Path

import pytest

from stark_base import write_questions
from trellis.domain.errors import FileFormatError
from trellis.evaluation.suite import read_suite
from trellis.questions.row import QuestionRow


def test_a_table_gives_questions_with_the_ids_of_their_answers(tmp_path: Path) -> None:
    rows = read_suite(write_questions(tmp_path))
    assert [row.id for row in rows] == ["4", "7", "9", "12"]
    assert rows[2] == QuestionRow(
        "9", "Which disease has red dots on the elbows?", answer_ids=("1",)
    )
    assert rows[0].known_answers == ()  # no names, until the nodes are looked up


def test_a_split_is_read_in_its_order(tmp_path: Path) -> None:
    table = write_questions(tmp_path)
    assert [row.id for row in read_suite(table, split="test")] == ["7", "4", "12"]
    assert [row.id for row in read_suite(table, split="val")] == ["9"]
    assert [row.id for row in read_suite(table, 2, "test")] == ["7", "4"]


def test_questions_that_people_wrote_are_a_split_and_a_table(tmp_path: Path) -> None:
    table = write_questions(tmp_path)
    [row] = read_suite(table, split="human_generated_eval")
    assert (row.id, row.question, row.answer_ids) == ("0", "Who?", ("1",))
    assert read_suite(table.with_name("stark_qa_human_generated_eval.csv")) == [row]


def test_a_split_that_is_not_there_is_named(tmp_path: Path) -> None:
    table = write_questions(tmp_path)
    with pytest.raises(FileFormatError, match=r"no split 'dev'.*there are test, val"):
        read_suite(table, split="dev")
    (tmp_path / "split" / "test.index").write_text("4\n99\n")
    with pytest.raises(FileFormatError, match=r"test\.index:2: .*no question '99'"):
        read_suite(table, split="test")
    lines = tmp_path / "q.jsonl"
    lines.write_text('{"id": 1, "question": "?"}')
    with pytest.raises(FileFormatError, match="has no splits"):
        read_suite(lines, split="test")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", ":1: no column id"),
        ("id,query\n1,Who?\n", ":1: no column answer_ids"),
        ("id,query,answer_ids\n1,Who?,[1\n", ":2: answer_ids is no list"),
        ("id,query,answer_ids\n1,Who?,open('x')\n", ":2: answer_ids is no list"),
        ("id,query,answer_ids\n1,Who?,5\n", ":2: answer_ids should be a list"),
        ('id,query,answer_ids\n1,Who?,"[1, [2]]"\n', ":2: answer_ids should be a list"),
        ("id,query,answer_ids\n1, ,[1]\n", ":2: no query"),
        ("id,query,answer_ids\n,Who?,[1]\n", ":2: no id"),
        ("id,query,answer_ids\n1,Who?,[1]\n1,Who?,[1]\n", "id '1' occurs twice"),
    ],
)
def test_a_table_that_cannot_be_used_is_named(tmp_path: Path, text: str, said: str) -> None:
    table = write_questions(tmp_path, text)
    with pytest.raises(FileFormatError, match=rf"stark_qa\.csv.*{said}"):
        read_suite(table)


def test_a_table_that_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match=r"stark_qa\.csv cannot be read"):
        read_suite(tmp_path / "stark_qa.csv")
