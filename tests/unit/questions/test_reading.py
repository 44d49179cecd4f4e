"""Question files: what is read, and what is said of what cannot be."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from trellis.domain.errors import FileFormatError
from trellis.domain.graphs.graph import Step
from trellis.questions.reading import read_questions
from trellis.questions.row import GoldPath, QuestionRow
from unit.training.family import rows, write


def test_plain_and_zipped_files_read_alike_and_a_caret_walks_backwards(tmp_path: Path) -> None:
    plain = write(tmp_path / "q.jsonl", rows())
    zipped = tmp_path / "q.jsonl.gz"
    zipped.write_bytes(gzip.compress(plain.read_bytes()))
    asked = read_questions([plain])
    assert [row.paths for row in asked] == [row.paths for row in read_questions([zipped])]
    back = Step("parents", reversed=True)
    assert asked[4].paths == (GoldPath("anna_smith", (back, Step("religion"))),)


@pytest.mark.parametrize(
    "line",
    [
        *("{", "[]", '{"id": 1}', '{"question": 5}', '{"question": "q", "claim": "c"}'),
        '{"question": "q", "topics": "a"}',
        '{"question": "q", "topics": [1]}',
        '{"question": "q", "cypher": 3}',
        '{"question": "q", "paths": [1]}',
        '{"question": "q", "paths": [{"topic": "a"}]}',
        '{"claim": "c", "label": ["supported"]}',
    ],
)
def test_a_bad_line_is_named(tmp_path: Path, line: str) -> None:
    file = tmp_path / "q.jsonl"
    file.write_text(f'{{"question": "who?"}}\n\n{line}\n', "utf-8")
    with pytest.raises(FileFormatError, match=r"q\.jsonl:3: "):
        read_questions([file])


@pytest.mark.parametrize("body", [b"\xff\xfe\xfa", b"\x1f\x8b broken"])
def test_an_unreadable_file_is_named(tmp_path: Path, body: bytes) -> None:
    file = tmp_path / "q.jsonl.gz"
    file.write_bytes(body)
    with pytest.raises(FileFormatError, match=r"q\.jsonl\.gz"):
        read_questions([file])
    with pytest.raises(FileFormatError, match="missing"):
        read_questions([tmp_path / "missing.jsonl"])


def test_all_that_a_line_may_hold_is_read(tmp_path: Path) -> None:
    whole = {"id": 7, "question": "who?", "topics": ["a"], "answers": ["b", 3]}
    paths = [{"topic": "c", "relations": ["r"]}]
    more = {"cypher": "MATCH (n) RETURN n", "paths": paths, "label": True, "more": {}}
    lines: list[dict[str, object]] = [
        {**whole, **more},
        {"claim": "a is b.", "label": "supported"},
        {"question": "none?", "answers": []},
    ]
    question, claim, none = read_questions([write(tmp_path / "q.jsonl", lines)])
    named = "7", "who?", "", ("a",), ("b", "3"), "MATCH (n) RETURN n"
    assert question == QuestionRow(*named, (GoldPath("c", (Step("r"),)),), True)
    assert question.names == ("a", "c")
    assert (claim.id, claim.question, claim.claim, claim.label) == ("", "", "a is b.", "supported")
    assert (claim.answers, none.answers, claim.known_answers) == (None, (), ())
