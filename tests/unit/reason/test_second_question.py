"""A reply to two questions in one sentence says which one it leaves out."""

from __future__ import annotations

import pytest

from trellis.steps.link.second_question import note_second_question


@pytest.mark.parametrize(
    ("question", "second"),
    [
        ("How deep is Lake Baikal, and where is it?", "where is it"),
        ("Who wrote it and when did that happen", "when did that happen"),
        ("Which types have 5 cases, and how many are there?", "how many are there"),
        ("Where does it rain and where is it warm?", "where is it warm"),
        ("Which river rises in Peru and flows into the sea?", ""),
        ("Which rivers pass Linz and Vienna?", ""),
        ("Where does what rains and where it pours come from?", ""),
        ("Ann and where she lives", ""),
    ],
)
def test_what_is_asked_behind_the_first_question(question: str, second: str) -> None:
    note = note_second_question(question)
    assert note == (
        f"the question asks for more, which is left out here: “{second}”" if second else ""
    )
