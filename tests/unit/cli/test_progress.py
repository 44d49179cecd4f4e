"""Progress without a terminal: lines, with what there is to say beside the numbers."""

from __future__ import annotations

import pytest

from trellis.cli import progress


def test_a_stage_says_how_far_it_came_and_its_note(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "_EVERY", 0.0)
    with progress.show_progress() as report:
        report("steps", 1, 2, "loss 0.5, held out 0.6")
        report("steps", 2, 2)
    lines = capfd.readouterr().err.splitlines()
    assert [line.split() for line in lines] == [
        [
            "steps",
            "1/2",
            "0",
            "s",
            "(about",
            "0",
            "s",
            "left),",
            "loss",
            "0.5,",
            "held",
            "out",
            "0.6",
        ],
        ["steps", "2/2", "0", "s,", "loss", "0.5,", "held", "out", "0.6"],
    ]


def test_a_stage_of_unknown_length_says_where_it_ended(capfd: pytest.CaptureFixture[str]) -> None:
    with progress.show_progress() as report:
        for done in range(1, 8):
            report("rows", done, None)
    assert [line.split()[:2] for line in capfd.readouterr().err.splitlines()] == [["rows", "7"]]


def test_a_stage_that_begins_says_so(capfd: pytest.CaptureFixture[str]) -> None:
    with progress.show_progress() as report:
        report("lessons", 0, 3, "of task path")
        assert capfd.readouterr().err.split() == ["lessons", "0/3", "0", "s,", "of", "task", "path"]
        report("lessons", 1, 3)
        assert not capfd.readouterr().err
