"""Question files: what is read, and what is said of what cannot be."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from trellis.domain.errors import FileFormatError
from trellis.domain.graph import Step
from trellis.training.questions import Asked, GoldPath, outside, read_questions, wording
from unit.training.family import rows, write


def test_plain_and_zipped_files_read_alike(tmp_path: Path) -> None:
    plain = write(tmp_path / "q.jsonl", rows())
    zipped = tmp_path / "q.jsonl.gz"
    zipped.write_bytes(gzip.compress(plain.read_bytes()))
    assert read_questions([zipped]) != []
    assert [a.paths for a in read_questions([zipped])] == [a.paths for a in read_questions([plain])]


def test_a_caret_walks_backwards(tmp_path: Path) -> None:
    asked = read_questions([write(tmp_path / "q.jsonl", rows())])
    assert asked[4].paths == (
        GoldPath("anna_smith", (Step("parents", reversed=True), Step("religion"))),
    )


@pytest.mark.parametrize(
    "line",
    ["{", "[]", '{"id": 1}', '{"question": "q", "topics": "a"}', '{"question": "q", "paths": [1]}'],
)
def test_a_bad_line_is_named(tmp_path: Path, line: str) -> None:
    file = tmp_path / "q.jsonl"
    file.write_text(f'{{"question": "who?"}}\n\n{line}\n', "utf-8")
    with pytest.raises(FileFormatError, match="line 3"):
        read_questions([file])


@pytest.mark.parametrize("body", [b"\xff\xfe\xfa", b"\x1f\x8b broken"])
def test_an_unreadable_file_is_named(tmp_path: Path, body: bytes) -> None:
    file = tmp_path / "q.jsonl.gz"
    file.write_bytes(body)
    with pytest.raises(FileFormatError, match=r"q\.jsonl\.gz"):
        read_questions([file])
    with pytest.raises(FileFormatError, match="missing"):
        read_questions([tmp_path / "missing.jsonl"])


def test_wording_is_what_is_said_of_many_topics_and_no_name(tmp_path: Path) -> None:
    own = wording(read_questions([write(tmp_path / "q.jsonl", rows())]))
    assert {"religion", "father", "born"} <= set(own)
    assert not {"anna", "smith", "anna_smith"} & set(own)


def test_a_topic_is_taken_out_with_spaces_or_underscores() -> None:
    asked = Asked("1", "who married Anna Smith ?", ("anna_smith",))
    assert outside(asked.text, asked.names).split() == ["who", "married", "?"]
