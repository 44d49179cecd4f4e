"""The words of questions: a graph's own wording, and what is left without names."""

from __future__ import annotations

from pathlib import Path

from trellis.questions.reading import read_questions
from trellis.training.wording import find_wording, remove_names
from unit.training.family import rows, write


def test_wording_is_what_is_said_of_many_topics_and_no_name(tmp_path: Path) -> None:
    own = find_wording(read_questions([write(tmp_path / "q.jsonl", rows())]))
    assert {"religion", "father", "born"} <= set(own)
    assert not {"anna", "smith", "anna_smith"} & set(own)


def test_a_topic_is_taken_out_with_spaces_or_underscores() -> None:
    assert remove_names("who married Anna Smith ?", ["anna_smith"]).split() == [
        "who",
        "married",
        "?",
    ]
