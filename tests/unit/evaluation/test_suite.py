"""Suites: what is read, and what is refused by file and line."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from trellis.domain.errors import FileFormatError
from trellis.evaluation.suite import read_gold_queries, read_suite


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "s.jsonl"


def test_questions_are_read_plain_or_packed(path: Path) -> None:
    first = '{"id": "a", "question": "Who?", "answers": ["x"], "more": 1}'
    text = first + '\n\n{"id": 2, "question": "?"}\n'
    path.write_text(text)
    packed = path.with_suffix(".jsonl.gz")
    packed.write_bytes(gzip.compress(text.encode()))
    rows = read_suite(path)
    assert rows == read_suite(packed)
    assert [(q.id, q.question, q.answers) for q in rows] == [
        ("a", "Who?", ("x",)),
        ("2", "?", None),
    ]
    assert len(read_suite(path, limit=1)) == 1


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("nonsense", "not JSON"),
        ("[]", "the line"),
        ('{"id": "b"}', "question"),
        ('{"id": "b", "question": 5}', "question"),
        ('{"id": "b", "question": "?", "answers": "x"}', "answers"),
    ],
)
def test_a_bad_line_is_named(path: Path, line: str, said: str) -> None:
    path.write_text('{"id": "a", "question": "Who?"}\n' + line + "\n")
    with pytest.raises(FileFormatError, match=rf"s\.jsonl:2: .*{said}"):
        read_suite(path)


def test_an_id_that_occurs_twice_is_named(path: Path) -> None:
    path.write_text('{"id": "a", "question": "1"}\n{"id": "a", "question": "2"}\n')
    with pytest.raises(FileFormatError, match="'a' occurs twice"):
        read_suite(path)


@pytest.mark.parametrize("content", [b"\xff\xfe\x00", None])
def test_a_file_that_cannot_be_read_is_named(path: Path, content: bytes | None) -> None:
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(FileFormatError, match=r"s\.jsonl"):
        read_suite(path)


def test_gold_queries_need_no_question(path: Path) -> None:
    path.write_text(
        '{"id": 1, "cypher": "RETURN $a", "params": {"a": 2}, "features": ["limit"]}\n'
        '{"id": 2, "question": "no query?"}\n{"id": 3, "cypher": " "}\n'
        '{"id": 4, "question": "?", "cypher": "RETURN 1"}\n'
    )
    first, last = read_gold_queries(path)
    assert (first.id, first.question, first.cypher) == ("1", "", "RETURN $a")
    assert (first.params, first.features) == ({"a": 2}, ("limit",))
    assert (last.id, last.question, last.params, last.features) == ("4", "?", {}, ())


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"id": 1, "question": "?"}', "no row with"),
        ("", "no row with"),
        ('{"id": 1, "cypher": "RETURN 1"}\nnonsense', r"s\.jsonl:2: not JSON"),
        ('{"id": 1, "cypher": "RETURN 1", "params": [1]}', r"s\.jsonl:1: params"),
        ('{"id": 1, "cypher": 5}', r"s\.jsonl:1: cypher"),
        ('{"cypher": "RETURN 1"}', "'RETURN 1' has no id"),
        ('{"id": 1, "cypher": "RETURN 1"}\n{"id": 1, "cypher": "RETURN 2"}', "occurs twice"),
    ],
)
def test_gold_queries_that_cannot_be_used_are_named(path: Path, text: str, said: str) -> None:
    path.write_text(text)
    with pytest.raises(FileFormatError, match=said):
        read_gold_queries(path)
